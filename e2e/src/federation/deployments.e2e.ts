import { expect } from '@playwright/test';
import { notification } from '../support/clinic.ts';
import { deploy, shellIsThere } from '../support/deploy.ts';
import { markDocument, panel } from '../support/outages.ts';
import { openTestEnvironment, type TestEnvironment } from '../support/test-environment.ts';
import { startApp, test } from '../support/first-use.ts';

test.describe('where releases are kept', () => {
  let testEnv: TestEnvironment;
  test.beforeAll(async ({ baseURL }) => {
    testEnv = await openTestEnvironment(String(baseURL), { keepReleases: 'decided' });
  });
  test.afterAll(() => testEnv.close());

  test('a remote is rolled back, pinned and unpinned with one command each', async ({ browser }) => {
    const front = testEnv.frontEnds['mf-public'];
    const { operate } = testEnv;
    const first = (await front.describe()).version;
    await deploy(front, 'b', '2.0.0+b');
    await testEnv.registered('mf-public', ({ version }) => version === '2.0.0+b');
    const page = await (await browser.newContext({ baseURL: testEnv.url })).newPage();
    const entryOf = async (): Promise<string> => {
      await page.goto('/about');
      await expect(page.getByRole('heading', { level: 1, name: /About/ })).toBeVisible();
      return String(await page.locator('link[rel="preload"][href*="/mf/mf-public/entry."]').getAttribute('href'));
    };
    expect(await entryOf()).toContain('entry.bbbb');
    // svc-identity learns of the deployment by the gateway's next report.
    await expect.poll(() => operate('list', 'mf-public')).toMatch(/^mf-public:\n2\.0\.0\+b .*deployed last/);

    await operate('rollback', 'mf-public');
    await testEnv.registered('mf-public', ({ version }) => version === first);
    expect(await entryOf()).not.toContain('entry.bbbb');
    expect(await operate('list', 'mf-public')).toMatch(
      /^mf-public:\n2\.0\.0\+b .*deployed last\n.*served, rolled back\nPinned by a rollback from 2\.0\.0\+b until the next deployment: /,
    );

    await operate('pin', 'mf-public', '2.0.0');
    await testEnv.registered('mf-public', ({ version }) => version === '2.0.0+b');
    await operate('unpin', 'mf-public');
    expect(await entryOf()).toContain('entry.bbbb');
    await page.context().close();
  });

  test('keeps using the files of its own version while they are kept', async ({ browser }) => {
    const page = await (await browser.newContext({ baseURL: testEnv.url })).newPage();
    await page.goto('/medicinestore');
    await expect(page.getByRole('button', { name: 'Add to Cart' }).first()).toBeVisible();
    const sameDocument = await markDocument(page);
    for (const name of ['mf-public', 'mf-pharmacy', 'shell'] as const)
      await deploy(testEnv.frontEnds[name], 'c', '3.0.0+c');
    await testEnv.registered('mf-pharmacy', ({ version }) => version === '3.0.0+c');
    await testEnv.registered('mf-public', ({ version }) => version === '3.0.0+c');
    await shellIsThere(testEnv, 'c');
    // A page of the shell and one of a remote, neither loaded yet.
    await page.getByRole('link', { name: 'Login', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
    await page.getByRole('link', { name: 'About', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: /About/ })).toBeVisible();
    await sameDocument();
    // New visitors get the new version.
    await page.goto('/medicinestore');
    await expect(page.getByRole('button', { name: 'Add to Cart' }).first()).toBeVisible();
    expect(await page.locator('head link[rel="stylesheet"][href*="/shell/"]').getAttribute('href')).toContain('.cccc');
    await page.context().close();
  });
});

test.describe('a tab opened before a deployment that leaves nothing of the old build', () => {
  let testEnv: TestEnvironment;
  test.beforeAll(async ({ baseURL }) => {
    testEnv = await openTestEnvironment(String(baseURL));
  });
  test.afterAll(() => testEnv.close());

  test('loads the new version if nothing of the old one is left, without losing typed text', async ({ browser }) => {
    const page = await (await browser.newContext({ baseURL: testEnv.url })).newPage();
    // Go straight to the form, so that no other page of the remote is loaded yet.
    const [doctor] = (await (await fetch(`${testEnv.url}/doctors`)).json()) as { _id: string }[];
    const booking = `${testEnv.url}/appoinment/${doctor?._id}`;
    await page.goto(booking);
    await page.getByRole('button', { name: 'PATIENT', exact: true }).click();
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    // Filled in from earlier visits: wait, so that it doesn't mix with what the test types.
    await expect(page.getByLabel('Age')).toHaveValue(/^\d+$/);
    await expect(page.getByLabel('Address')).not.toHaveValue('');
    await page.getByLabel('Address').fill('House 9, Lake Road');
    await page.getByLabel('Age').fill('41');
    await deploy(testEnv.frontEnds['mf-clinic'], 'c', '2.0.0+c');
    await testEnv.registered('mf-clinic', ({ version }) => version === '2.0.0+c');
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
    await expect(notification(page, 'We’ve updated this page')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: /Appoinments/ })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(booking);
    await expect(page.getByLabel('Address')).toHaveValue('House 9, Lake Road');
    await expect(page.getByRole('spinbutton', { name: 'Age' })).toHaveValue('41');
    await page.context().close();
  });

  test('never mixes two builds of a remote: if part of the old one is loaded, the new one needs a reload', async ({
    browser,
  }) => {
    const page = await (await browser.newContext({ baseURL: testEnv.url })).newPage();
    await page.goto('/about');
    await startApp(page);
    const front = testEnv.frontEnds['mf-public'];
    // Another page of the same remote is loaded already.
    front.breakBy((req, res) => {
      const broken = /^\/page-ourDoctors\.[^/]+\.js/.test(req.url ?? '');
      if (broken) res.writeHead(404).end();
      return broken;
    });
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Doctors', exact: true }).click();
    await expect(panel(page)).toContainText('This part of the site didn’t load.');
    front.breakBy();
    await deploy(front, 'a', '2.0.0+a');
    await testEnv.registered('mf-public', ({ version }) => version === '2.0.0+a');
    await panel(page).getByRole('button', { name: 'Retry' }).click();
    await expect(notification(page, 'We’ve updated this page')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: 'Our Doctors' })).toBeVisible();
    await page.context().close();
  });

  test('keeps a registration except its password when the shell itself is redeployed', async ({ browser }) => {
    const page = await (await browser.newContext({ baseURL: testEnv.url })).newPage();
    await page.goto('/register');
    await page.getByLabel('First Name').fill('Ann');
    await page.getByLabel('Email').fill('ann@mail.example');
    await page.getByLabel('Password', { exact: true }).fill('Secret-77');
    await deploy(testEnv.frontEnds.shell, 'd');
    await shellIsThere(testEnv, 'd');
    // Read what is stored before the page's own scripts take it.
    await page.addInitScript(() => {
      document.addEventListener('readystatechange', () => {
        document.documentElement.dataset['carried'] ??= sessionStorage.getItem('clinic:drafts') ?? '';
      });
    });
    await page.getByRole('link', { name: 'Log in', exact: true }).click();
    await expect(notification(page, 'We’ve updated this page')).toBeVisible();
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

  test('a page with unsaved input reloads only when asked to, and keeps the input', async ({ browser }) => {
    const page = await (await browser.newContext({ baseURL: testEnv.url })).newPage();
    await page.goto('/login');
    await page.getByLabel('Email').fill('ann@mail.example');
    await page.getByLabel('Password', { exact: true }).fill('Secret-77');
    // The sign-in library is loaded, the account chooser isn't.
    await page.waitForLoadState('networkidle');
    await deploy(testEnv.frontEnds.shell, 'e');
    await shellIsThere(testEnv, 'e');
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    await expect(panel(page)).toContainText('what you’ve typed is saved.');
    await panel(page).getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByLabel('Email')).toHaveValue('ann@mail.example');
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.context().close();
  });
});
