import type { Page } from '@playwright/test';
import { expect, onAnyDevice, test } from '../support/clinic.ts';
import { openPage } from '../support/appearance.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const strip = (page: Page) => page.getByRole('region', { name: 'Testimonials' });

/** How the strip's cards move: 'running', 'paused', or not at all. */
function motionOf(page: Page): Promise<string> {
  return strip(page).evaluate((element) => element.querySelector('ul')?.getAnimations()[0]?.playState ?? 'none');
}

test('the testimonials move at 40 px a second and pause under the pointer, with focus, and on request', async ({
  page,
}) => {
  await openPage(page, '/');
  await strip(page).scrollIntoViewIfNeeded();
  await expect.poll(() => motionOf(page)).toBe('running');
  const speed = await strip(page).evaluate((element) => {
    const [first, second] = element.querySelectorAll('ul');
    const way = (second?.getBoundingClientRect().left ?? 0) - (first?.getBoundingClientRect().left ?? 0);
    const { duration } = first?.getAnimations()[0]?.effect?.getTiming() ?? {};
    return way / (Number(duration) / 1000);
  });
  expect(speed).toBeCloseTo(40, 1);
  await strip(page).hover();
  await expect.poll(() => motionOf(page)).toBe('paused');
  await page.mouse.move(0, 0);
  await expect.poll(() => motionOf(page)).toBe('running');
  await strip(page).focus();
  await expect.poll(() => motionOf(page)).toBe('paused');
  await strip(page).blur();
  await expect.poll(() => motionOf(page)).toBe('running');
  await page.getByRole('button', { name: 'Pause' }).press('Enter');
  await expect.poll(() => motionOf(page)).toBe('paused');
  await page.getByRole('button', { name: 'Resume' }).press('Enter');
  await expect.poll(() => motionOf(page)).toBe('running');
});

/** Scrolls the statistics into view. @returns lists everything that the first of them has shown since */
async function watchFigures(page: Page): Promise<() => Promise<string[]>> {
  const figure = page.getByRole('definition').first();
  await figure.evaluate((element) => {
    const seen: string[] = [];
    new MutationObserver(() => seen.push(element.textContent)).observe(element, {
      characterData: true,
      childList: true,
      subtree: true,
    });
    Object.assign(window, { seen });
  });
  await page.getByRole('region', { name: 'The clinic in numbers' }).evaluate(
    (element) =>
      new Promise<void>((resolve) => {
        // Runs after the page's own observer, which has then drawn its first frame.
        new IntersectionObserver(
          ([entry]) => {
            if (entry?.isIntersecting)
              requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
          },
          { threshold: 0.9 },
        ).observe(element);
        element.scrollIntoView({ block: 'center', behavior: 'instant' });
      }),
  );
  return () => page.evaluate(() => (window as unknown as { seen: string[] }).seen);
}

test('the statistics count up once when they come into view', onAnyDevice, async ({ page }) => {
  // The HTML of a first page shows them already.
  await page.goto('/about');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click();
  const seen = await watchFigures(page);
  await expect.poll(async () => (await seen()).at(-1)).toBe('15,000+');
  const numbers = (await seen()).map((text) => Number(text.replaceAll(/[,+]/g, '')));
  expect(numbers.length).toBeGreaterThan(2);
  expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
});

test('nothing moves for people who prefer reduced motion', onAnyDevice, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openPage(page, '/');
  const seen = await watchFigures(page);
  expect(await seen()).toEqual([]);
  await strip(page).scrollIntoViewIfNeeded();
  expect(await motionOf(page)).toBe('none');
  await expect(page.getByRole('button', { name: 'Pause' })).toBeHidden();
  // Without motion, the strip must scroll, also by keyboard.
  await strip(page).focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => strip(page).evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0);
  const moving = await page.evaluate(
    () => document.getAnimations().filter((animation) => animation.playState === 'running').length,
  );
  expect(moving).toBe(0);
});
