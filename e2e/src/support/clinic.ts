import { expect, type BrowserContext, type Locator, type Page } from '@playwright/test';
import { test as base } from './first-use.ts';
import { violationsOf } from './violations.ts';

/**
 * Console messages that don't fail a test: 4xx responses, which the browser logs although the page handles them; log lines of a
 * failed login, of a change that needs a login first or can't be made twice, and of a booking over the limit; and network
 * changes, which happen when containers start or stop beside the tests, and after which the browser retries automatically.
 */
const expectedNoise =
  /Failed to load resource: (?:the server responded with a status of 4\d\d|net::ERR_NETWORK_CHANGED)|^Login failed|^Could not load \[readMessageAction, Object\] ApiProblem: You have used this link|^Could not save ApiProblem: (Log in|Ask the patient|Someone else has changed|There’s already a doctor with|You have 10 upcoming appointments)/;

/** The digest of the empty style that Playwright's screenshots add in Firefox, where our content security policy blocks it. */
const screenshotStyle = /sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT\+SmwNZWA=/;

/** Firefox compares the digest of a script that it stopped loading because the page was left: the digest of no bytes. */
const stoppedScript =
  /integrity attribute match .*“OLBgp1GsljhM2TJ\+sbHjaiH9txEUvgdDTAzHv2P24donTt6\/529l\+9Ua0vFImLlb”/;

/**
 * Browsers check files of a page that was left before their hashes were read: they get one that no file has, the only one of this
 * kind (`shell/src/federation/integrity.ts`).
 */
const leftHashes =
  /^None of the “sha256” hashes in the integrity attribute match |^Failed to find a valid digest in the 'integrity' attribute .* with computed SHA-256 integrity /;

/** Firefox logs that a page was left while its live line was still being opened. */
const leftLine = /^The connection to \S+\/live(?:\?\S*)? was interrupted while the page was loading\.$/;

/** Firefox logs that /login was left while the sign-in code was being prefetched. */
const leftPrefetch = /^The sign-in code could not be prefetched\b/;

/** Firefox logs that a page was left while a font was being downloaded: 2152398850 is NS_BINDING_ABORTED. */
const leftFont = /^downloadable font: download failed .* status=2152398850 /;

/** Tests look into a mail's frame by script, which its sandbox blocks. */
const sandboxedMail = /^Blocked script execution in 'about:blank'/;

/**
 * Fails every test on a console error, an uncaught error or a violation of the content security policy. Public pages, which
 * arrive as HTML, start at once: most tests are about the application (see first-use.ts).
 */
export const test = base.extend<{ quietConsole: undefined; typedText: undefined }>({
  typedText: [
    async ({ context, browserName }, provide) => {
      if (browserName === 'firefox') await typeText(context);
      await provide(undefined);
    },
    { auto: true },
  ],
  quietConsole: [
    async ({ context }, provide) => {
      const errors = errorsOf(context);
      await provide(undefined);
      expect(errors, 'errors in the console').toEqual([]);
    },
    { auto: true },
  ],
});

/**
 * Lets `fill` type in Firefox as a person does. Over WebDriver BiDi Playwright 1.65 sets the element's `value`, which React's own
 * setter sees, so that React takes the `input` event for a repetition and never calls `onChange`.
 */
async function typeText(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    Object.defineProperty(globalThis, '__pw_bidiInsertText', {
      get: () => (text: string) => void document.execCommand('insertText', false, text),
      // Playwright assigns its own.
      set() {},
    });
  });
}

/** Console errors and uncaught errors of a context's pages, as they come. */
export function errorsOf(context: BrowserContext): readonly string[] {
  const errors: string[] = [];
  context.on('console', (message) => {
    const text = message.text();
    const expected = [expectedNoise, stoppedScript, leftHashes, leftLine, leftPrefetch, leftFont, sandboxedMail].some(
      (one) => one.test(text),
    );
    if (message.type() === 'error' && !expected) errors.push(text);
  });
  context.on('weberror', (error) => {
    // Firefox reports blocked styles and scripts, and an interrupted live line, as errors of the page.
    const text = String(error.error());
    if (![screenshotStyle, stoppedScript, leftHashes, leftLine, leftFont].some((one) => one.test(text)))
      errors.push(text);
  });
  return errors;
}

export { expect };

/** Options of a test whose result doesn't depend on the device: it doesn't run on the phone. */
export const onAnyDevice = { tag: '@any-device' } as const;

/** {@link onAnyDevice}, and Firefox would show nothing else either. */
export const anywhere = { tag: ['@any-device', '@any-engine'] };

/** Whether the page is shown at phone width, where tables are cards and menus are folded. */
export function isPhone(page: Page): boolean {
  return (page.viewportSize()?.width ?? 0) < 768;
}

/** Fails on accessibility violations (WCAG 2.2 AA) and if the page is wider than the screen. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, 'pixels that the page is wider than the screen').toBe(0);
}

/** Saves a screenshot with the test results, for review, except in a run of all tests. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env['CLINIC_WHOLE_RUN']) return;
  const { title, project } = test.info();
  await page.screenshot({
    path: `../test-results/pictures/${project.name}/${name.replaceAll(/\W+/g, '-')}.png`,
    fullPage: true,
  });
  test.info().annotations.push({ type: 'picture', description: `${title}: ${name}` });
}

/** A notification with this text. */
export function notification(page: Page, text: string | RegExp): Locator {
  return page.getByText(text).filter({ visible: true }).first();
}

/** Opens the folded menu on a phone; does nothing if the menu is always open. */
export async function openMenu(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Open menu' });
  if (await button.isVisible()) await button.click();
}

/** Follows a menu entry. */
export async function follow(page: Page, menu: 'Main' | 'Dashboard', entry: string): Promise<void> {
  const opener = page.getByRole('button', { name: 'Open menu' });
  await openMenu(page);
  const folds = await page.getByRole('button', { name: 'Close menu' }).isVisible();
  await page.getByRole('navigation', { name: menu }).getByRole('link', { name: entry, exact: true }).click();
  if (folds) await expect(opener).toBeVisible();
}

/** Expects these entries in the dashboard menu, in order. */
export const expectMenu = (page: Page, entries: readonly string[]): Promise<void> =>
  whenMenuIsOpen(page, (menu) =>
    expect(menu.getByRole('link')).toHaveText(entries, { useInnerText: true, timeout: 2_000 }),
  );

/** Expects an entry in the dashboard menu, or none of that name. */
export const expectMenuEntry = (page: Page, entry: string, { shown = true } = {}): Promise<void> =>
  whenMenuIsOpen(page, async (menu) => {
    await expect(menu.getByRole('link').first()).toBeVisible({ timeout: 2_000 });
    await expect(menu.getByRole('link', { name: entry, exact: true })).toHaveCount(shown ? 1 : 0, { timeout: 2_000 });
  });

/** A page that leads on closes a folded menu, and a new role changes it. */
function whenMenuIsOpen(page: Page, look: (menu: Locator) => Promise<void>): Promise<void> {
  const menu = page.getByRole('navigation', { name: 'Dashboard' });
  return expect(async () => {
    await openMenu(page);
    await expect(menu.getByText('Loading...')).toHaveCount(0, { timeout: 2_000 });
    await look(menu);
  }).toPass({ timeout: 120_000 });
}

/** The row, or on narrow screens the card, that contains a text. */
export function record(page: Page, list: string, text: string): Locator {
  const row = page.getByRole('region', { name: list }).getByRole('row').filter({ hasText: text });
  const card = page.getByRole('list', { name: list }).getByRole('listitem').filter({ hasText: text });
  return row.or(card).first();
}

/** Presses an action of a row; where there is little room it is in the row's menu. */
export async function pressAction(row: Locator | Page, name: string | RegExp): Promise<void> {
  const action = row.getByRole('button', { name }).filter({ visible: true }).first();
  const menu = row
    .getByRole('button', { name: /^More actions/ })
    .filter({ visible: true })
    .first();
  await expect(action.or(menu).first()).toBeVisible();
  if (!(await action.isVisible())) await menu.click();
  await action.click();
}

/** On All Users: gives somebody without a profile a role that needs one. */
export async function giveRoleWithProfile(page: Page, user: Locator, role: 'Doctor' | 'Pharmasicts'): Promise<void> {
  await user.getByRole('combobox', { name: /^Role of/ }).selectOption({ label: role });
  const dialog = page.getByRole('dialog', { name: /needs a profile$/ });
  await dialog.getByLabel('Qualification').fill('MBBS');
  await dialog.getByLabel(role === 'Doctor' ? 'Specialization' : 'Area of Expertise').fill('Dermatology');
  await dialog.getByLabel('Experience (years)').fill('4');
  await expectAccessible(page);
  await picture(page, `needs a profile ${role}`);
  await dialog.getByRole('button', { name: 'Save and give the role' }).click();
  await expect(dialog).toHaveCount(0);
}

/** Opens the store's cart, which a phone has in a dialog. */
export async function openCart(page: Page): Promise<void> {
  if (isPhone(page)) await page.getByRole('button', { name: /^Cart \(/ }).click();
}

/** Closes the cart's dialog on a phone. */
export async function closeCart(page: Page): Promise<void> {
  if (isPhone(page)) await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
}
