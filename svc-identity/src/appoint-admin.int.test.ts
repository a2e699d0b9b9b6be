import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openBrowser } from './testing/browser.ts';
import { startIdentityStack } from './testing/identity-stack.ts';

const stack = await startIdentityStack();
after(() => stack.close());

/** Runs the command like an operator, with the service's settings. */
function appoint(
  args: readonly string[],
  env: NodeJS.ProcessEnv = { ...process.env, ...stack.env },
): Promise<{ readonly code: number; readonly output: string }> {
  const command = [join(import.meta.dirname, 'appoint-admin.ts'), ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

test('the operator appoints a clinic’s first admin, who has admin rights immediately', async () => {
  const askForUsers = async (): Promise<number> => {
    const browser = openBrowser(stack.url);
    await browser.startSession(
      'head@clinic.example',
      await stack.signInWithGoogle({ sub: 'g-1', email: 'head@clinic.example', name: 'Head' }),
    );
    return (await browser.fetch('/users?limit=1')).status;
  };
  assert.equal(await askForUsers(), 403);

  assert.deepEqual(await appoint(['Head@clinic.example']), {
    code: 0,
    output: 'Head@clinic.example is now an admin. Their menu updates within a second.\n',
  });
  assert.equal((await stack.user('head@clinic.example')).role, 'admin');
  assert.equal(await askForUsers(), 200);
  assert.deepEqual(
    (await stack.events({ action: 'role changed' })).map(({ subject, actor, before: was, after: is }) => ({
      subject,
      actor,
      was,
      is,
    })),
    [{ subject: 'head@clinic.example', actor: undefined, was: { role: 'patient' }, is: { role: 'admin' } }],
  );

  assert.deepEqual(await appoint(['head@clinic.example']), {
    code: 0,
    output: 'head@clinic.example is already an admin.\n',
  });
});

test('the command explains why somebody can’t be appointed', async () => {
  await stack.login('off@clinic.example');
  await stack.users.updateOne({ email: 'off@clinic.example' }, { $set: { disabled: true, emailVerified: true } });
  await stack.login('unconfirmed@clinic.example');
  await stack.users.updateOne({ email: 'unconfirmed@clinic.example' }, { $set: { emailVerified: false } });
  for (const [args, message] of [
    [[], 'give one email address: appoint-admin.ts you@clinic.example'],
    [['head'], 'give one email address: appoint-admin.ts you@clinic.example'],
    [['a@clinic.example', 'b@clinic.example'], 'give one email address: appoint-admin.ts you@clinic.example'],
    [['nobody@clinic.example'], 'there’s no user with this email: sign in with it once, then run this again'],
    [['off@clinic.example'], 'this account is switched off'],
    [
      ['unconfirmed@clinic.example'],
      'this email isn’t confirmed: open the link in the email (or sign in with Google), sign in again, then run this again',
    ],
  ] as const)
    assert.deepEqual(await appoint(args), { code: 1, output: `${message}\n` }, args.join(' '));
  assert.equal(
    await stack.users.countDocuments({
      email: { $in: ['off@clinic.example', 'unconfirmed@clinic.example'] },
      role: 'admin',
    }),
    0,
  );
});

test('the command names the invalid setting', async () => {
  const { output } = await appoint(['a@clinic.example'], {});
  assert.equal(
    output,
    'MONGODB_URI is not set: it must be the address of a MongoDB server, for example MONGODB_URI=mongodb://127.0.0.1:27017\n',
  );
});
