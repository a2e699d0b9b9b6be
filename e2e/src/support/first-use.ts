import {
  expect,
  test as base,
  type Browser,
  type BrowserContext,
  type Page,
  type PlaywrightWorkerArgs,
} from '@playwright/test';

/** Playwright's test, with {@link ofTests}: most tests are about the application. */
export const test = base.extend<object, { browser: PlaywrightWorkerArgs['browser'] }>({
  browser: [async ({ browser }, provide) => provide(ofTests(browser)), { scope: 'worker' }],
});

/**
 * A browser whose pages have the tests' time, and whose public pages, which arrive as HTML, start the application at once, as
 * in a history entry of it.
 */
function ofTests(browser: Browser): Browser {
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await open(options);
    await moveClock(context, Number(process.env['FAKETIME'] ?? 0) * 1_000);
    await startAtOnce(context);
    const close = context.close.bind(context);
    let isClosed = false;
    context.on('close', () => (isClosed = true));
    context.close = async (reason) => {
      // Responses that a test no longer waits for may be under way. A test may have closed what its fixture closes again.
      if (!isClosed)
        await Promise.all([context, ...context.pages()].map((each) => each.unrouteAll({ behavior: 'ignoreErrors' })));
      await close(reason);
    };
    return context;
  };
  return browser;
}

/** Moves the time of pages as `npm test -- --clock` moves that of tests and services. */
async function moveClock(context: BrowserContext, byMs: number): Promise<void> {
  if (byMs === 0) return;
  await context.addInitScript((ahead) => {
    const real = Date;
    const now = (): number => real.now() + ahead;
    globalThis.Date = new Proxy(real, {
      construct: (target, given: readonly unknown[], newTarget) =>
        Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget) as object,
      get: (target, key) => (key === 'now' ? now : (Reflect.get(target, key) as unknown)),
    });
  }, byMs);
}

/** Lets public pages start the application at once. */
export async function startAtOnce(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    if (top === window && location.protocol.startsWith('http')) history.replaceState(history.state ?? {}, '');
  });
}

/** Lets public pages wait, as HTML, until somebody uses them. */
export async function waitForUse(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    if (top === window && location.protocol.startsWith('http')) history.replaceState(null, '');
  });
}

/** Opens a page that arrives as HTML. A gateway that can't have its HTML in time sends the page without it. */
export async function openHtml(page: Page, path: string): Promise<void> {
  await expect(async () => {
    // A page without it starts the application, which keeps a busy machine from rendering the next one in time.
    expect((await (await page.request.get(path)).text()).includes('id="page"')).toBe(true);
    await page.goto(path);
    expect(await page.locator('#page').count()).toBe(1);
  }).toPass();
}

/** Waits until the application has taken the place of the page's HTML. */
export async function appIsThere(page: Page): Promise<void> {
  await expect(page.locator('#page')).toHaveCount(0);
  await expect(page.locator('#root')).toBeAttached();
}

/** Uses a page that arrived as HTML, so that the application takes its place; without effect on other pages. */
export async function startApp(page: Page): Promise<void> {
  await page.evaluate(() => dispatchEvent(new Event('focusin')));
  await appIsThere(page);
}

/** Lets a page arrive with other HTML. @param change - of its content, as if it were of another release or older data */
export async function changeHtml(
  context: BrowserContext,
  path: string,
  change: (content: string) => string,
): Promise<void> {
  await context.route(
    ({ pathname }) => pathname === path,
    async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback();
      const response = await route.fetch();
      // {@link openHtml} asks again for a page that came without it.
      await route.fulfill({ response, body: change(await response.text()) });
    },
  );
}
