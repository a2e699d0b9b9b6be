import { galleryPage } from '@clinic/contracts';
import { expect, type Page } from '@playwright/test';
import { startApp } from './first-use.ts';
import { violationsOf } from './violations.ts';

export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** Opens a page and waits until nothing on it is loading. */
export async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await startApp(page);
  await isComplete(page, path);
}

/** Follows an address as links do, without loading the document again; and waits until nothing on its page is loading. */
export async function followAddress(page: Page, path: string): Promise<void> {
  // A page that stays, with another id or query, doesn't set its title again.
  if (routeOf(path) === routeOf(page.url())) return openPage(page, path);
  await page.evaluate((address) => {
    document.title = '';
    history.pushState(null, '', address);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
  // The page before stays until the next one is there and sets its title.
  await expect(page).toHaveTitle(/./);
  await isComplete(page, path);
}

function routeOf(address: string): string {
  return new URL(address, 'http://any').pathname.replaceAll(/[\da-f]{24}/g, ':id');
}

async function isComplete(page: Page, path: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // The gallery also shows loading states, which never end there.
  if (path !== galleryPage) await expect(page.getByText('Loading...')).toHaveCount(0);
  if (path !== '/') return;
  // Its lower half loads when a visitor comes near it, or seconds later.
  await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
  await expect(page.getByRole('heading', { name: 'What Our Patients Say' })).toBeAttached();
  // Copies of the HTML stand there until then: what is pressed in them only asks for the sections.
  await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
}

/** Gives the window this width, and waits until tables have chosen their layout for it. */
export async function setWidth(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** Fails if the open page or dialog is wider than a phone; the window is as wide as before afterwards. */
export async function expectToFitPhone(page: Page): Promise<void> {
  const { width = 1440, height = 900 } = page.viewportSize() ?? {};
  await setWidth(page, 360);
  const tooWide = await page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('dialog[open]')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ tagName, scrollWidth }) => `${tagName} is ${scrollWidth} px wide`),
  );
  expect(tooWide).toEqual([]);
  await page.setViewportSize({ width, height });
}

/** Fails on accessibility violations (WCAG 2.2 AA), in one theme. The dark one comes after the light one. */
export async function expectFlawless(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  // A busy browser repaints late; colours measured in between would mix both themes.
  await page.waitForFunction(
    (scheme) => matchMedia(`(prefers-color-scheme: ${scheme}) and (prefers-reduced-motion: reduce)`).matches,
    theme,
  );
  await page.evaluate(async () => {
    // Even short colour transitions run down the page element by element, each a frame after its parent.
    for (
      let still = 0;
      still < 3;
      still = document.getAnimations().some(({ playState }) => playState === 'running') ? 0 : still + 1
    ) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  });
  expect.soft(await violationsOf(page, { onlyColours: theme === 'dark' }), theme).toEqual([]);
}

/** Fails if anything is wider than the screen, or text overflows its box. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const wide = await page.evaluate(() => {
    const found: string[] = [];
    const report = (element: Element, what: string) =>
      found.push(
        `${what}: <${element.tagName.toLowerCase()} class="${element.getAttribute('class') ?? ''}"> ${element.textContent.trim().slice(0, 40)}`,
      );
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth - clientWidth} px wider than the screen`);
    for (const element of document.querySelectorAll<HTMLElement>(
      'main a, main button, main p, main li, main dd, main h1, main h2, main h3, footer a, header a',
    )) {
      const style = getComputedStyle(element);
      if (style.display === 'inline' || element.closest('.sr-only, [aria-hidden="true"], .testimonial-strip')) continue;
      // Half a pixel is rounding.
      if (element.scrollWidth > element.clientWidth + 1 && style.overflowX === 'visible' && element.clientWidth > 0)
        report(element, 'text leaves its box');
      const parent = element.parentElement?.getBoundingClientRect();
      const own = element.getBoundingClientRect();
      if (parent && own.width > 0 && own.right > Math.max(parent.right, 0) + 1 && style.position === 'static')
        report(element, 'leaves its parent');
    }
    return found;
  });
  expect.soft(wide).toEqual([]);
}

/**
 * Saves a screenshot of the whole page for review, except in a run of all tests:
 * `test-results/pictures/public/<name>-<width>-<theme>.png`.
 */
export async function takePicture(page: Page, name: string, theme: Theme): Promise<void> {
  if (process.env['CLINIC_WHOLE_RUN']) return;
  await page.evaluate(async () => {
    // Images below the fold load lazily.
    for (const image of document.images) image.loading = 'eager';
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
  });
  await page.screenshot({
    path: `../test-results/pictures/public/${name}-${page.viewportSize()?.width}-${theme}.png`,
    fullPage: true,
    scale: 'css',
  });
}

/** An element reached with the Tab key. */
interface Stop {
  readonly name: string;
  /** Whether the focus is visible. */
  readonly marked: boolean;
  /** Whether another element covers it (WCAG 2.4.11). */
  readonly covered: boolean;
}

/**
 * Moves through the page with the Tab key alone. Expects every visible control to be reached, in document order, with a
 * visible focus. @returns the names of the reached controls, in order
 */
export async function tabThroughPage(page: Page): Promise<string[]> {
  // The page's controls, as the browser would stop at them.
  const expected = await page.evaluate(() => {
    const controls = document.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, summary, [tabindex="0"]',
    );
    const reachable = [...controls].filter(
      (control) =>
        control.tabIndex >= 0 && !control.matches(':disabled') && control.checkVisibility({ visibilityProperty: true }),
    );
    reachable.forEach((control, place) => {
      control.dataset['stop'] = String(place);
    });
    return reachable.length;
  });
  await page.evaluate(() => {
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
  });
  const stops: Stop[] = [];
  const order: number[] = [];
  while (order.length < expected) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const focused = document.activeElement as HTMLElement;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(focused);
      const { left, top, width, height } = focused.getBoundingClientRect();
      const onTop = document.elementFromPoint(left + width / 2, Math.min(top + height / 2, innerHeight - 1));
      const covered = onTop === null || !(focused.contains(onTop) || onTop.contains(focused));
      const text =
        focused.getAttribute('aria-label') ??
        (focused as HTMLInputElement).labels?.[0]?.textContent ??
        focused.textContent;
      return {
        name: text.trim(),
        place: Number(focused.dataset['stop'] ?? -1),
        isDate: focused.matches('input[type="date"]'),
        marked: (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none',
        covered,
      };
    });
    // Day, month and year of a date field are separate stops.
    if (stop.isDate && stop.place === order.at(-1)) continue;
    stops.push(stop);
    order.push(stop.place);
  }
  expect(order, 'order of the stops').toEqual(Array.from({ length: expected }, (_, place) => place));
  expect(
    stops.filter(({ marked }) => !marked),
    'stops without a mark of the focus',
  ).toEqual([]);
  expect(
    stops.filter(({ covered }) => covered),
    'stops that lie below something else',
  ).toEqual([]);
  return stops.map(({ name }) => name);
}
