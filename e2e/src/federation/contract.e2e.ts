import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { contractVersion, type Registry } from '@clinic/contracts';
import { serviceContractVersion } from '@clinic/contracts/publication';
import type { Deployed } from '@clinic/contracts/uses';
import { expect, test } from '../support/clinic.ts';
import { logInWithButton } from '../support/log-in.ts';
import { openTestEnvironment } from '../support/test-environment.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const node = join(root, 'node_modules/node/bin/node');
const support = join(import.meta.dirname, '..', 'support');
const frozen = join(import.meta.dirname, '..', '..', 'fixtures', `remote-of-contract-${contractVersion}`);

test('a remote published with the first release of this contract version still runs in this shell', async ({
  browser,
  baseURL,
}) => {
  const testEnv = await openTestEnvironment(String(baseURL), { remotes: { 'mf-first-release': frozen } });
  const page = await (await browser.newContext({ baseURL: testEnv.url })).newPage();
  // That domain has no service.
  await page.route('**/first-release/entries*', (route) =>
    route.fulfill({ json: [], headers: { 'x-total-count': '0' } }),
  );
  await logInWithButton(page, 'admin', '/dash/admin');
  await page
    .getByRole('navigation', { name: 'Dashboard' })
    .getByRole('link', { name: 'First release', exact: true })
    .click();
  await expect(page.getByText('No entries yet')).toBeVisible();
  await page.getByRole('button', { name: 'Write entry' }).click();
  await expect(page.getByText('Title is required')).toBeVisible();
  // Its own stylesheet is loaded, too.
  await expect(page.getByRole('form', { name: 'New entry' })).toHaveCSS('display', 'grid');
  await page.context().close();
  await testEnv.close();
});

test('today’s remotes and services run with shell and gateway of a release that raises the contract by one', async ({
  browser,
  baseURL,
}, info) => {
  // It builds a shell.
  test.slow();
  const shell = info.outputPath('shell');
  await promisify(execFile)(node, [join(support, 'build-next-shell.ts'), shell]);
  const testEnv = await openTestEnvironment(String(baseURL), {
    builds: { shell },
    gateway: { NODE_OPTIONS: `--import=${pathToFileURL(join(support, 'next-gateway.ts')).href}` },
  });
  try {
    const page = await (await browser.newContext({ baseURL: testEnv.url })).newPage();
    // The page shows the adapted remote.
    const deployed = (await (await page.request.get('/deployed.json')).json()) as Deployed;
    expect(deployed.contracts).toEqual({ newest: serviceContractVersion + 1, oldest: serviceContractVersion });
    expect(deployed.services.map(({ version }) => version)).toEqual(Array(3).fill('1.0.0, adapted'));
    const { remotes } = (await (await page.request.get('/registry.json')).json()) as Registry;
    expect(remotes.map(({ contractVersion: version }) => version)).toEqual(Array(4).fill(contractVersion));
    for (const { title } of remotes) expect(title).toContain(', adapted');
    // A page of each remote, with answers of each service.
    await page.goto('/ourDoctors');
    await expect(page.getByRole('link', { name: /Book/ }).first()).toBeVisible();
    await page.goto('/medicinestore');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await logInWithButton(page, 'patient', '/dash/patient');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const admin = await (await browser.newContext({ baseURL: testEnv.url })).newPage();
    await logInWithButton(admin, 'admin', '/dash/admin');
    await expect(admin.getByRole('main').getByRole('table').first()).toBeVisible();
    for (const one of [page, admin]) {
      await expect(one.getByRole('main').getByRole('alert')).toHaveCount(0);
      await one.context().close();
    }
  } finally {
    await testEnv.close();
  }
});

const remotes = ['mf-public', 'mf-clinic', 'mf-pharmacy', 'mf-admin'];
const services = ['svc-identity', 'svc-clinic', 'svc-pharmacy'];
for (const [kind, names] of Object.entries({ remote: remotes, service: services }))
  test(`each running ${kind} passes the check before a deployment again`, async ({ baseURL }) => {
    const answers = await Promise.all(
      names.map(async (name) => {
        const command = [join(root, 'scripts', kind, 'main.ts'), 'check', name, '--clinic', String(baseURL)];
        return (await promisify(execFile)(node, command)).stdout.trim().split('\n');
      }),
    );
    for (const [index, lines] of answers.entries()) {
      expect(lines.at(-1)).toMatch(new RegExp(`^${names[index]} \\S+ may be deployed to ${String(baseURL)}\\.$`));
      for (const line of lines.slice(0, -1)) expect(line).toMatch(/^\w+ +ok /);
    }
  });
