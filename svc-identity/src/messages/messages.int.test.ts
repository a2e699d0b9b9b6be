import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { outboxOf } from '@clinic/service-kit';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { openBrowser } from '../testing/browser.ts';
import { startIdentityStack } from '../testing/identity-stack.ts';
import { invite, type MadeInvitation } from '../testing/invitations.ts';
import { changeRole, confirmedPerson } from '../testing/people.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';

const stack = await startIdentityStack();
after(() => stack.close());
const admin = await confirmedPerson(stack, 'ada@clinic.example', 'admin');

const entriesTo = (email: string) =>
  outboxOf(stack.replica.context).find({ 'to.email': email }).sort({ _id: 1 }).toArray();

const agents = {
  'Chrome on Android':
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36',
  'Firefox on Linux': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
};

test('a sign-in on a new device sends one message, the first device none', async () => {
  const email = 'nora@mail.example';
  const proof = await stack.signUp(email);
  const signIn = async (device: keyof typeof agents): Promise<void> => {
    const answer = await openBrowser(stack.url).startSession(email, proof, {}, { 'User-Agent': agents[device] });
    assert.equal(answer.status, 200, await answer.text());
  };
  const newDeviceEntries = async () => (await entriesTo(email)).filter(({ kind }) => kind === 'new-device');
  await signIn('Firefox on Linux');
  await signIn('Firefox on Linux');
  assert.deepEqual(await newDeviceEntries(), []);
  // Concurrently, on the same new device.
  await Promise.all([signIn('Chrome on Android'), signIn('Chrome on Android')]);
  const entries = await newDeviceEntries();
  assert.equal(entries.length, 1);
  assert.deepEqual(entries[0]?.to, { account: (await stack.user(email))._id.toHexString(), email });
  assert.equal((entries[0].data as { readonly device: string }).device, 'Chrome on Android');
  assert.deepEqual((await stack.user(email)).knownDevices, ['Firefox on Linux', 'Chrome on Android']);
});

test('a new role sends a message; a rejected change sends none', async () => {
  const person = await confirmedPerson(stack, 'paul@mail.example');
  assert.equal((await changeRole(stack, person, person.email, 'admin')).status, 403);
  for (const role of ['pharmacist', 'pharmacist'])
    assert.equal((await changeRole(stack, admin, person.email, role)).status, 200);
  const entries = (await entriesTo('paul@mail.example')).filter(({ kind }) => kind === 'role-changed');
  assert.deepEqual(
    entries.map(({ to, data }) => ({ to, data })),
    [{ to: { account: person.id, email: 'paul@mail.example' }, data: { role: 'pharmacist' } }],
  );
});

test('svc-messages learns what has become of invitations, just before it mails them', async () => {
  const email = 'asked.about@clinic.example';
  const made = async (role: string) => {
    const { invitation } = await readJson<MadeInvitation>(invite(admin, email, role), 201);
    return { id: invitation._id, asked: { email, role, until: invitation.expiresAt } };
  };
  const [kept, ended] = [await made('doctor'), await made('pharmacist')];
  assert.equal((await admin.fetch(`/staff/invitations/${ended.id}`, { method: 'DELETE' })).status, 204);
  const again = await made('pharmacist');
  const ask = (json: object, by = stack.internal) => by('/internal/invitations', { method: 'POST', json });
  const unknown = { ...kept.asked, email: 'never.asked@clinic.example' };
  const invitations = [kept.asked, ended.asked, again.asked, unknown];
  assert.deepEqual(
    await readJson(ask({ invitations }), 200),
    ['open', 'revoked', 'open', 'revoked'].map((status, at) => ({ ...invitations[at], status })),
  );
  assert.equal((await ask({ invitations: [{ email }] })).status, 400);
  assert.equal((await ask({ invitations }, stack.anonymous)).status, 401);
});

test('an invitation is mailed with the link that the admin sees; a rejected one isn’t', async () => {
  const email = 'grace@clinic.example';
  const { token, invitation } = await readJson<MadeInvitation>(invite(admin, email, 'admin'), 201);
  assert.equal((await invite(admin, email, 'admin')).status, 409);
  assert.deepEqual(
    (await entriesTo(email)).map(({ kind, to, data }) => ({ kind, to, data })),
    [
      {
        kind: 'staff-invitation',
        to: { email },
        data: { link: `/register?invitation=${token}`, role: 'admin', until: invitation.expiresAt },
      },
    ],
  );
});

test('the demo’s mails are forwarded once, however many replicas there are', async () => {
  const email = 'vera@mail.example';
  await stack.addReplica();
  await openBrowser(stack.url).startSession(email, await stack.signUp(email));
  const ask = () =>
    fetch(`${stack.emulator.url}/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=any`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ requestType: 'PASSWORD_RESET', email }),
    });
  const links = async (kind: string) =>
    (await entriesTo(email)).filter((entry) => entry.kind === kind).map(({ data }) => (data as { link: string }).link);
  assert.equal((await ask()).status, 200);
  const [first] = await waitUntil(async () => {
    const found = await links('password-reset');
    return found.length > 0 && found;
  });
  assert.match(first ?? '', /^\/auth\/action\?mode=resetPassword&oobCode=/);
  // By the time the second is there, both replicas have read the first again.
  assert.equal((await ask()).status, 200);
  await waitUntil(async () => (await links('password-reset')).length >= 2);
  assert.equal(new Set(await links('password-reset')).size, (await links('password-reset')).length);
  const open = (await (await fetch(`${stack.emulator.url}/internal/mails`)).json()) as { readonly to: string }[];
  assert.equal(open.filter(({ to }) => to === email).length, 2);
});
