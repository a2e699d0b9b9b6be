import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * What on the page stands in the way of assistive technology (WCAG 2.2 AA), one line a rule.
 *
 * Bars that stick to an edge are laid into the page meanwhile: whatever is half under one can be scrolled out, and would
 * else count as too small a target (2.5.8) wherever the fold happens to be. That focus never stays under them is tested
 * by keyboard.
 */
export async function violationsOf(page: Page): Promise<string[]> {
  const letGo = (position: string) => page.evaluate((value) => {
    for (const bar of document.querySelectorAll<HTMLElement>('.sticky')) bar.style.position = value;
  }, position);
  await letGo('static');
  // Colours measured in the middle of a transition are nobody's.
  await page.evaluate(async () => {
    const passing = document.getAnimations().filter((one) => one.playState === 'running' && one.effect?.getComputedTiming().iterations !== Infinity);
    await Promise.allSettled(passing.map((one) => one.finished));
  });
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']).analyze();
  await letGo('');
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, any: [reason] }) => `${html} ${reason?.message ?? ''}`).join(' | ')}`);
}
