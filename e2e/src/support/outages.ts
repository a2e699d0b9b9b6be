import { expect, type Locator, type Page, type Route } from '@playwright/test';
import type { Registry } from '@clinic/contracts';
import { follow } from './clinic.ts';
import { startApp } from './first-use.ts';

/** The remote that fails in these tests. Its page is public. */
export const pharmacy = {
  name: 'mf-pharmacy',
  path: '/medicinestore',
  menuEntry: 'Pharmacy',
  heading: 'Pharmacy',
} as const;

/** The panel shown in place of an unavailable remote. */
export function panel(page: Page) {
  return page.getByRole('alert').filter({ has: page.getByRole('heading', { name: /can’t be loaded right now$/ }) });
}

/** Makes requests fail until the returned function is called. @param address - affected URLs, without query */
export async function breakRequests(
  page: Page,
  address: RegExp,
  answer: (route: Route) => Promise<void>,
): Promise<() => void> {
  const hit = (url: URL): boolean => address.test(url.pathname);
  // Not unrouted in the end: a response under way would have been handled already.
  let areBroken = true;
  await page.route(hit, (route) => (areBroken ? answer(route) : route.fallback()));
  return () => {
    areBroken = false;
  };
}

/** Expects something that the page shows when it has waited in vain, and lets its time pass: its clock is installed. */
export function expectInTime(shown: Locator): Promise<void> {
  return expect(async () => {
    await shown.page().clock.runFor(1_000);
    await expect(shown).toBeVisible({ timeout: 100 });
  }).toPass({ timeout: 120_000, intervals: [0] });
}

/** Marks the document to detect a reload. @returns checks that it is still the same document */
export async function markDocument(page: Page): Promise<() => Promise<void>> {
  await startApp(page);
  await page.evaluate(() => {
    document.documentElement.dataset['mark'] = 'same';
  });
  return () => expect(page.locator('html[data-mark="same"]'), 'the document of before').toHaveCount(1);
}

/** While one remote is unavailable, the menus and all other pages keep working. */
export async function expectOthersToGoOn(page: Page): Promise<void> {
  await follow(page, 'Main', 'Doctors');
  await expect(page.getByRole('heading', { name: /^Showing \d+ doctor\(s\)$/ })).toBeVisible();
  await follow(page, 'Main', 'Home');
  await expect(page.getByRole('heading', { name: 'Your Health, Our Priority' })).toBeVisible();
}

/** Changes the registry, in pages and wherever they ask for it, until the returned function is called. */
export async function changeRegistry(page: Page, change: (registry: Registry) => Registry): Promise<() => void> {
  const changedText = (text: string): string => JSON.stringify(change(JSON.parse(text) as Registry));
  const block = /(?<=<script type="application\/json" id="registry">).*?(?=<\/script>)/s;
  // Not unrouted in the end: a response under way would have been handled already.
  let isChanged = true;
  const inPage = async (route: Route): Promise<void> => {
    if (!isChanged || route.request().resourceType() !== 'document') return route.fallback();
    const response = await route.fetch();
    const html = await response.text();
    await route.fulfill({ response, body: html.replace(block, (text) => changedText(text)) });
  };
  const whenAsked = async (route: Route): Promise<void> => {
    if (!isChanged) return route.fallback();
    const response = await route.fetch();
    await route.fulfill({ response, body: changedText(await response.text()) });
  };
  await page.route('**/*', inPage);
  await page.route(/\/registry\.json(?:\?|$)/, whenAsked);
  return () => {
    isChanged = false;
  };
}
