import { cp, readdir } from 'node:fs/promises';
import type { Registry } from '@clinic/contracts';
import { runReleaseCommand } from '@clinic/static-server/release-command';
import type { Browser, Page } from '@playwright/test';
import { expect, test } from '../support/clinic.ts';
import { changeScript, deploy } from '../support/deploy.ts';
import { appIsThere, openHtml, waitForUse } from '../support/first-use.ts';
import { markDocument } from '../support/outages.ts';
import { openTestEnvironment, type TestEnvironment, type TestFrontEnd } from '../support/test-environment.ts';

/** A text of the page `/about`. */
const text = '"Our Mission"';

/** Makes a build that throws in `/about` for visitors who are unlucky. @returns its folder */
async function brokenBuild(front: TestFrontEnd): Promise<string> {
  const dist = `${front.dist}-broken`;
  await cp(front.dist, dist, { recursive: true });
  await deploy({ ...front, dist }, 'b', '2.0.0+b');
  const names = await readdir(dist);
  const script = names.find((name) => /^page-about\..*\.js$/.test(name)) ?? '';
  await changeScript(dist, script, (before) => {
    expect(before).toContain(text);
    return before.replace(
      text,
      () => `(()=>{if(globalThis.isUnlucky)throw new TypeError("unlucky");return ${text}})()`,
    );
  });
  return dist;
}

/** The version of mf-public that a group of visitors gets. */
async function versionFor({ url }: TestEnvironment, group: number): Promise<string | undefined> {
  const answer = await fetch(`${url}/registry.json`, { headers: { cookie: `release-group=${group}` } });
  const { remotes } = (await answer.json()) as Registry;
  return remotes.find(({ name }) => name === 'mf-public')?.version;
}

/** Opens `/about` as a visitor of a group, and waits until its visit has been reported. */
async function visit(browser: Browser, { url }: TestEnvironment, group: number, isUnlucky: boolean): Promise<Page> {
  const context = await browser.newContext({ baseURL: url });
  await context.addCookies([{ name: 'release-group', value: String(group), url }]);
  if (isUnlucky) await context.addInitScript('globalThis.isUnlucky = true');
  const page = await context.newPage();
  const reported = page.waitForResponse((response) => response.url().endsWith('/page-visits'));
  await page.goto('/about');
  expect((await reported).status()).toBe(204);
  return page;
}

const mission = (page: Page) => page.getByText('Our Mission', { exact: true });

test('a build that throws on one page in ten is rolled back automatically, and nobody outside its share sees it', async ({
  browser,
  baseURL,
}) => {
  const testEnv = await openTestEnvironment(String(baseURL), { keepReleases: 'decided' });
  const front = testEnv.frontEnds['mf-public'];
  const deployed = (await front.describe()).version;
  const { operate } = testEnv;
  await runReleaseCommand(front.releases, 'add', [await brokenBuild(front)]);
  const rules = ['--share', '50%', '--visits', '10', '--errors', '10%'];
  expect(await operate('canary', 'mf-public', '2.0.0', ...rules)).toMatch(/1 of 1 gateways do so now/);
  const groups = Array.from({ length: 60 }, (_, group) => group);
  const versions = await Promise.all(groups.map((group) => versionFor(testEnv, group)));
  const inside = groups.filter((group) => versions[group] === '2.0.0+b').slice(0, 10);
  const outside = groups.filter((group) => versions[group] === deployed).slice(0, 2);
  expect([inside.length, outside.length]).toEqual([10, 2]);

  const visitors: readonly (readonly [group: number, isUnlucky: boolean])[] = [
    // Outside of the share, even the unlucky see nothing of it.
    ...outside.map((group) => [group, true] as const),
    ...inside.slice(0, 9).map((group, place) => [group, place === 8] as const),
  ];
  const pages = await Promise.all(visitors.map(([group, isUnlucky]) => visit(browser, testEnv, group, isUnlucky)));
  const [beside, lucky, unlucky] = [pages[0], pages[2], pages.at(-1)];
  if (!beside || !lucky || !unlucky) throw new Error('a visitor is missing');
  await expect(mission(beside)).toBeVisible();
  await expect(mission(lucky)).toBeVisible();
  await expect(unlucky.getByRole('heading', { level: 1 })).toHaveText('Oops!');
  const sameDocuments = await Promise.all([beside, lucky].map((page) => markDocument(page)));
  expect(await operate('list', 'mf-public')).toMatch(/50% of visitors get 2\.0\.0\+b/);

  // The tenth visit decides. Open pages go on: what they have loaded stays.
  await visit(browser, testEnv, inside[9] ?? 0, false);
  await expect
    .poll(() => operate('list', 'mf-public'))
    .toMatch(/^2\.0\.0\+b .* 10 visits, 1 with an error[^]*Last decision: rolled back 2\.0\.0\+b, by gateway /m);
  await testEnv.logged(({ msg }) => msg === 'releases follow');
  for (const group of inside) expect(await versionFor(testEnv, group)).toBe(deployed);
  for (const page of [beside, lucky]) {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Doctors', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Our Doctors' })).toBeVisible();
  }
  for (const same of sameDocuments) await same();
  // The unlucky get the deployed build with their next page.
  await unlucky.reload();
  await expect(mission(unlucky)).toBeVisible();
  await Promise.all(browser.contexts().map((context) => context.close()));
  await testEnv.close();
});

/** What goes wrong in a page, as its console and its network tell it. */
function followTroubles(page: Page): string[] {
  const troubles: string[] = [];
  page.on('console', (message) => /^(?:error|warning)$/.test(message.type()) && troubles.push(message.text()));
  page.on('pageerror', ({ message }) => troubles.push(message));
  page.on(
    'response',
    (response) => response.status() >= 400 && troubles.push(`${response.status()} ${response.url()}`),
  );
  return troubles;
}

test('visitors inside and outside of a canary read the HTML of their own release, and use it', async ({
  browser,
  baseURL,
}) => {
  const testEnv = await openTestEnvironment(String(baseURL), { keepReleases: 'decided' });
  const front = testEnv.frontEnds['mf-public'];
  const deployed = (await front.describe()).version;
  const dist = `${front.dist}-next`;
  await cp(front.dist, dist, { recursive: true });
  await deploy({ ...front, dist }, 'c', '2.0.0+c');
  await runReleaseCommand(front.releases, 'add', [dist]);
  expect(await testEnv.operate('canary', 'mf-public', '2.0.0', '--share', '50%')).toMatch(/1 of 1 gateways do so now/);
  const groups = Array.from({ length: 60 }, (_, group) => group);
  const versions = await Promise.all(groups.map((group) => versionFor(testEnv, group)));
  for (const version of ['2.0.0+c', deployed]) {
    const context = await browser.newContext({ baseURL: testEnv.url });
    await waitForUse(context);
    await context.addCookies([{ name: 'release-group', value: String(versions.indexOf(version)), url: testEnv.url }]);
    for (const path of ['/', '/about', '/ourDoctors']) {
      const page = await context.newPage();
      const troubles = followTroubles(page);
      await openHtml(page, path);
      await expect(page.locator('#page')).toHaveAttribute('data-version', version);
      const entry = page.waitForRequest(/\/mf\/mf-public\/entry\./);
      await page.keyboard.press('Tab');
      await appIsThere(page);
      expect(/\/entry\.cccc/.test((await entry).url()), `${path} of ${version} runs its own files`).toBe(
        version === '2.0.0+c',
      );
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      expect(troubles, `${path} of ${version}`).toEqual([]);
      await page.close();
    }
    await context.close();
  }
  await testEnv.close();
});
