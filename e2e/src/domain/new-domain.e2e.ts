import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { User } from '@clinic/contracts';
import { demoAccounts, demoPassword } from '@clinic/demo-data/people';
import type { Deletion } from '@clinic/svc-identity/contract/schemas';
import { expect } from '@playwright/test';
import { expectAccessible, follow, expectMenuEntry, notification } from '../support/clinic.ts';
import { logInAs, logOut } from '../support/log-in.ts';
import { copyRepository } from '../support/copy-repository.ts';
import { signIn } from '../support/people.ts';
import { openOwnClinic } from '../support/start-clinic.ts';
import { test } from '../support/first-use.ts';

// Starts a separate clinic with one additional domain.
test.setTimeout(600_000);

test('a team adds a domain: its checks pass at once, and its page, menu entry and calls work without changes elsewhere', async ({
  browser,
}) => {
  const copy = await copyRepository();
  const bin = (name: string): string => join(copy, 'node_modules/.bin', name);
  const node = join(copy, 'node_modules/node/bin/node');
  const env = {
    ...process.env,
    PATH: `${join(copy, 'node_modules/node/bin')}:${join(copy, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
  };
  // Rejects with the command's output if it fails.
  const run = async (command: string, args: readonly string[]) =>
    promisify(execFile)(command, [...args], { cwd: copy, env, maxBuffer: 10_000_000 });
  const before = await digestOf(copy);

  const { stdout: output } = await run(node, [
    'scripts/new-domain/main.ts',
    'lab-results',
    '--title',
    'Lab results',
    '--roles',
    'pharmacist,admin',
  ]);
  expect(output).toContain('npm test -w svc-lab-results');
  await expect(run(node, ['scripts/new-domain/main.ts', 'lab-results'])).rejects.toThrow(
    /The folder mf-lab-results already exists/,
  );
  await expect(run(node, ['scripts/new-domain/main.ts', 'doctors'])).rejects.toThrow(
    /is already an address of the product/,
  );

  // Its own tests, and the rules of the code, pass in a repository of its own: system-tests/src/kit.
  await test.step('its own checks', async () => {
    await run(bin('tsc'), ['-p', 'svc-lab-results']);
    await run(bin('tsc'), ['-p', 'mf-lab-results']);
    await run(bin('oxfmt'), ['--check', 'svc-lab-results', 'mf-lab-results']);
  });

  const clinic = await openOwnClinic({ PATH: env.PATH }, { folder: copy });
  try {
    expect(await digestOf(copy), 'shell, gateway and contracts are as they were').toBe(before);
    const page = await (await browser.newContext({ baseURL: clinic.url })).newPage();

    await logInAs(page, 'pharmacist', '/dash/orders');
    await expectMenuEntry(page, 'Lab results');
    await follow(page, 'Dashboard', 'Lab results');
    await expect(page).toHaveURL('/dash/lab-results');
    await expect(page.getByText('No entries yet')).toBeVisible();
    await page.getByRole('button', { name: 'Write entry' }).click();
    await expect(page.getByText('Title is required')).toBeVisible();
    await page.getByLabel('Title').fill('Blood count');
    await page.getByLabel('Note').fill('Fasting');
    await page.getByRole('button', { name: 'Write entry' }).click();
    await expect(notification(page, 'Entry written')).toBeVisible();
    await expect(page.getByRole('row', { name: /Blood count.*Fasting.*pharmacist@clinic\.example/ })).toBeVisible();
    await expectAccessible(page);
    expect(await (await page.request.get('/lab-results/entries')).json()).toMatchObject([
      { title: 'Blood count', note: 'Fasting', author: 'pharmacist@clinic.example' },
    ]);
    await logOut(page);

    expect((await page.request.get('/lab-results/entries')).status()).toBe(401);
    await logInAs(page, 'patient', '/dash/patient');
    await expectMenuEntry(page, 'Lab results', { shown: false });
    expect((await page.request.get('/lab-results/entries')).status()).toBe(403);
    await page.goto('/dash/lab-results');
    await expect(page.getByRole('heading', { name: 'You can’t open ‘Lab results’' })).toBeVisible();

    await test.step('what it keeps about people is in the copy of their data, and deleted with them', async () => {
      await page.goto('/dash/account');
      const [copied, download] = await Promise.all([
        page.waitForResponse((answer) => answer.url().includes('/lab-results/export')),
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download my data' }).click(),
      ]);
      expect(copied.status()).toBe(200);
      const file = JSON.parse(await readFile(await download.path(), 'utf8')) as Record<string, unknown>;
      expect(Object.keys(file)).toEqual([
        'person',
        'copiedAt',
        'account',
        'appointments',
        'orders',
        'lab results',
        'messages',
      ]);
      const { _id } = (await (await page.request.get('/users/patient@clinic.example')).json()) as User;
      await page.getByRole('button', { name: 'Delete my account …' }).click();
      await page.getByLabel('Type patient@clinic.example to confirm').fill('patient@clinic.example');
      await page.getByRole('button', { name: 'Delete my account', exact: true }).click();
      // On a slow machine the page stops waiting before every service has erased them.
      await expect(notification(page, /^(Your account is deleted|We’re deleting your account)/)).toBeVisible();
      await signIn(page.request, { email: demoAccounts.admin, password: demoPassword });
      const states = async () => {
        const deletion = (await (await page.request.get(`/users/deletions/${_id}`)).json()) as Deletion;
        return Object.fromEntries(deletion.services.map(({ service, state }) => [service, state]));
      };
      await expect.poll(states).toMatchObject({ clinic: 'done', 'lab-results': 'done' });
    });
    await page.context().close();
  } finally {
    await clinic.close();
    await rm(copy, { recursive: true, force: true });
  }
});

/** Digest of everything that a new domain must not change. */
async function digestOf(copy: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    'sh',
    ['-c', 'find shell/src shell/dist gateway/src packages/contracts/src -type f | sort | xargs sha256sum | sha256sum'],
    { cwd: copy },
  );
  return stdout;
}
