import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { notification } from '../support/clinic.ts';
import { markDocument, panel } from '../support/outages.ts';
import { openStage, type Stage, type StagedFrontEnd } from '../support/stage.ts';

const run = promisify(execFile);
const digest = /\.[0-9a-f]{20}\./g;

/** Another digest of the same length, in every name and every text that names it. */
const renamed = (text: string, mark: string): string => text.replaceAll(digest, (old) => `.${mark.repeat(4)}${old.slice(5, -1)}.`);

/** What a file must be, as builds write it. */
const integrityOf = (content: Buffer | string): string => `sha256-${createHash('sha256').update(content).digest('base64')}`;

/** Deploys what a next build would be: the same code under other names, in the place of the build before. */
async function deploy({ dist }: StagedFrontEnd, mark: string, version?: string): Promise<void> {
  const files = (await readdir(dist, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  // They are in texts without dots too, in an entry's table of chunks.
  const digests = new Set(files.flatMap((file) => [...file.matchAll(digest)].map(([found]) => found.slice(1, -1))));
  const changed = new Map<string, string>();
  const swap = (text: string): string => [...digests].reduce((all, old) => all.replaceAll(old, mark.repeat(4) + old.slice(4)), text);
  for (const file of files.filter((name) => /\.(?:js|css)$/.test(name))) {
    const before = await readFile(file);
    const after = swap(before.toString());
    changed.set(integrityOf(before), integrityOf(after));
    await writeFile(file, after);
  }
  for (const file of files.filter((name) => /\.(?:html|json)$/.test(name))) {
    const text = [...changed].reduce((all, [before, after]) => all.replaceAll(before, after), swap(await readFile(file, 'utf8')));
    await writeFile(file, version === undefined || !file.endsWith('remote.json') ? text : JSON.stringify({ ...(JSON.parse(text) as object), version }));
  }
  for (const file of files) {
    if (/\.(?:br|gz)$/.test(file)) await rm(file);
    else await rename(file, join(dirname(file), renamed(basename(file), mark)));
  }
}

/** Waits until whoever comes gets the deployed shell. */
async function shellIsThere({ url }: Stage, mark: string): Promise<void> {
  await expect.poll(async () => (await (await fetch(url)).text()).includes(`.${mark.repeat(4)}`), { timeout: 30_000 }).toBe(true);
}

test.describe('a tab that was opened before a deployment', () => {
  let stage: Stage;
  test.afterEach(() => stage.close());

  test('goes on with the files of its own version while they are kept', async ({ browser, baseURL }) => {
    stage = await openStage(String(baseURL), { keepReleases: true });
    const page = await (await browser.newContext({ baseURL: stage.url })).newPage();
    await page.goto('/medicinestore');
    await expect(page.getByRole('button', { name: 'Add to Cart' }).first()).toBeVisible();
    const sameDocument = await markDocument(page);
    for (const name of ['mf-public', 'mf-pharmacy', 'shell'] as const) await deploy(stage.frontEnds[name], 'b', '2.0.0+b');
    await stage.registered('mf-pharmacy', ({ version }) => version === '2.0.0+b');
    await stage.registered('mf-public', ({ version }) => version === '2.0.0+b');
    await shellIsThere(stage, 'b');
    // A page of the shell whose file it hasn't loaded yet, and one of a remote it hasn't loaded yet.
    await page.getByRole('link', { name: 'Login', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
    await page.getByRole('link', { name: 'About', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: /About/ })).toBeVisible();
    await sameDocument();
    // Whoever comes now gets the new one.
    await page.goto('/medicinestore');
    await expect(page.getByRole('button', { name: 'Add to Cart' }).first()).toBeVisible();
    expect(await page.locator('head link[rel="stylesheet"][href*="/shell/"]').getAttribute('href')).toContain('.bbbb');
    await page.context().close();
  });

  test('loads the new version where nothing of the old one is left, without losing what is typed', async ({ browser, baseURL }) => {
    stage = await openStage(String(baseURL));
    const page = await (await browser.newContext({ baseURL: stage.url })).newPage();
    // Straight to the form, so that no other page of the remote is there yet.
    const [doctor] = (await (await fetch(`${stage.url}/doctors`)).json()) as { _id: string }[];
    const booking = `${stage.url}/appoinment/${doctor?._id}`;
    await page.goto(booking);
    await page.getByRole('button', { name: 'PATIENT', exact: true }).click();
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await page.getByLabel('Address').fill('House 9, Lake Road');
    await page.getByLabel('Age').fill('41');
    await deploy(stage.frontEnds['mf-clinic'], 'c', '2.0.0+c');
    await stage.registered('mf-clinic', ({ version }) => version === '2.0.0+c');
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
    await expect(notification(page, 'A new version was loaded')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: /Appoinments/ })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(booking);
    await expect(page.getByLabel('Address')).toHaveValue('House 9, Lake Road');
    await expect(page.getByLabel('Age')).toHaveValue('41');
    await page.context().close();
  });

  test('keeps a registration but its password when the shell itself is renewed', async ({ browser, baseURL }) => {
    stage = await openStage(String(baseURL));
    const page = await (await browser.newContext({ baseURL: stage.url })).newPage();
    await page.goto('/register');
    await page.getByLabel('First Name').fill('Ann');
    await page.getByLabel('Email').fill('ann@mail.example');
    await page.getByLabel('Password', { exact: true }).fill('Secret-77');
    await deploy(stage.frontEnds.shell, 'd');
    await shellIsThere(stage, 'd');
    // What is there before the page's own scripts take it.
    await page.addInitScript(() => {
      document.addEventListener('readystatechange', () => {
        document.documentElement.dataset['carried'] ??= sessionStorage.getItem('clinic:drafts') ?? '';
      });
    });
    await page.getByRole('link', { name: 'Log in', exact: true }).click();
    await expect(notification(page, 'A new version was loaded')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
    const carried = await page.evaluate(() => document.documentElement.dataset['carried']);
    expect(carried).toContain('ann@mail.example');
    expect(carried).not.toContain('Secret-77');
    expect(await page.evaluate(() => sessionStorage.getItem('clinic:drafts'))).toBeNull();
    await page.getByRole('link', { name: /Create an account|Register|Sign up/i }).click();
    await expect(page.getByLabel('First Name')).toHaveValue('Ann');
    await expect(page.getByLabel('Email')).toHaveValue('ann@mail.example');
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
    await page.context().close();
  });
});

test('a page that is being typed into is loaded anew only by a press, and keeps what was typed', async ({ browser, baseURL }) => {
  const stage = await openStage(String(baseURL));
  const page = await (await browser.newContext({ baseURL: stage.url })).newPage();
  await page.goto('/login');
  await page.getByLabel('Email').fill('ann@mail.example');
  await page.getByLabel('Password', { exact: true }).fill('Secret-77');
  // The sign-in's library is there, the account chooser is not.
  await page.waitForLoadState('networkidle');
  await deploy(stage.frontEnds.shell, 'e');
  await shellIsThere(stage, 'e');
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await expect(panel(page)).toContainText('What you have typed is kept.');
  await panel(page).getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByLabel('Email')).toHaveValue('ann@mail.example');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.context().close();
  await stage.close();
});

test('a remote is rolled back, pinned and set free with one command each', async ({ browser, baseURL }) => {
  const stage = await openStage(String(baseURL), { keepReleases: true });
  const front = stage.frontEnds['mf-public'];
  const operate = (...args: string[]) =>
    run(process.execPath, [join(import.meta.dirname, '../../../scripts/remote/main.ts'), ...args], { env: { ...process.env, DATA_DIR: join(front.releases, '../..') } });
  const first = (await front.describe()).version;
  await deploy(front, 'b', '2.0.0+b');
  await stage.registered('mf-public', ({ version }) => version === '2.0.0+b');
  const page = await (await browser.newContext({ baseURL: stage.url })).newPage();
  const entryOf = async (): Promise<string> => {
    await page.goto('/about');
    await expect(page.getByRole('heading', { level: 1, name: /About/ })).toBeVisible();
    return String(await page.locator('link[rel="preload"][href*="/mf/mf-public/entry."]').getAttribute('href'));
  };
  expect(await entryOf()).toContain('entry.bbbb');

  await operate('rollback', 'mf-public');
  await stage.registered('mf-public', ({ version }) => version === first);
  expect(await entryOf()).not.toContain('entry.bbbb');
  expect((await operate('list', 'mf-public')).stdout).toMatch(/^2\.0\.0\+b .*deployed last\n.*served, pinned\n$/);

  await operate('pin', 'mf-public', '2.0.0');
  await stage.registered('mf-public', ({ version }) => version === '2.0.0+b');
  await operate('unpin', 'mf-public');
  expect(await entryOf()).toContain('entry.bbbb');
  await page.context().close();
  await stage.close();
});
