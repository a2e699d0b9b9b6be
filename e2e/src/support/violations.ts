import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * Accessibility violations on the page (WCAG 2.2 AA), one line per rule.
 *
 * Sticky bars become static during the check. A control half under one can be scrolled out, but would
 * count as too small a target (2.5.8) depending on where the fold is. Keyboard tests check that focus
 * never stays under them.
 */
export async function violationsOf(page: Page): Promise<string[]> {
  // After a run of axe, Firefox 153's content process crashes at the next `element.labels`: `every-page.e2e.ts` checks each page there.
  if (page.context().browser()?.browserType().name() === 'firefox') return [];
  return lastViolationsOf(page);
}

/** {@link violationsOf} in any browser, as the last thing that is done with a page. */
export async function lastViolationsOf(page: Page): Promise<string[]> {
  const letGo = (position: string) =>
    page.evaluate((value) => {
      for (const bar of document.querySelectorAll<HTMLElement>('.sticky')) bar.style.position = value;
    }, position);
  await letGo('static');
  // Colours measured in the middle of a transition mean nothing.
  await page.evaluate(async () => {
    const passing = document
      .getAnimations()
      .filter((one) => one.playState === 'running' && one.effect?.getComputedTiming().iterations !== Infinity);
    await Promise.allSettled(passing.map((one) => one.finished));
  });
  // Another frame's results are joined in a second page, which loads axe once more. Without frames, and without the details
  // of what passed, a check takes less than half the processor time and finds the same.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(page.frames().length === 1)
    .options({ resultTypes: ['violations'] })
    // A frame that allows no scripts can't be checked from within; its mails have tests of their own.
    .exclude('iframe[sandbox]')
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  await letGo('');
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, any: [reason] }) => `${html} ${reason?.message ?? ''}`).join(' | ')}`,
  );
}
