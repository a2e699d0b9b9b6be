import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2 AA, without the details of what passed. */
const options: RunOptions = {
  runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  resultTypes: ['violations'],
  // Only rules about media need files fetched first.
  preload: false,
};

/** Those about colours, which are all that a theme changes. */
const ofColours: RunOptions = { ...options, runOnly: ['color-contrast', 'link-in-text-block'] };

/**
 * Accessibility violations on the page (WCAG 2.2 AA), one line per rule.
 *
 * Sticky bars become static during the check. A control half under one can be scrolled out, but would
 * count as too small a target (2.5.8) depending on where the fold is. Keyboard tests check that focus
 * never stays under them.
 *
 * @param onlyColours - the page has been checked in the other theme
 */
export async function violationsOf(page: Page, { onlyColours = false } = {}): Promise<string[]> {
  // axe works out names and roles itself. After a run, Firefox 153's content process crashes at the next `element.labels`.
  if (page.context().browser()?.browserType().name() === 'firefox') return [];
  // A document keeps axe. Loading it again, and in a second page as its Playwright package does, takes half of a check's time.
  if (await page.evaluate(() => !('axe' in globalThis))) await page.evaluate(axeSource);
  return page.evaluate(check, onlyColours ? ofColours : options);
}

/** Runs in the page, so it uses nothing from outside. */
async function check(options: RunOptions): Promise<string[]> {
  const bars = document.querySelectorAll<HTMLElement>('.sticky');
  for (const bar of bars) bar.style.position = 'static';
  // What comes to lie under the pointer begins a transition a frame later, also where a test holds the page's clock.
  await document.body.animate([], 1).finished;
  // Colours measured in the middle of a transition mean nothing.
  const passing = document
    .getAnimations()
    .filter((one) => one.playState === 'running' && one.effect?.getComputedTiming().iterations !== Infinity);
  await Promise.allSettled(passing.map((one) => one.finished));
  const axe = Reflect.get(globalThis, 'axe') as { run(context: object, options: RunOptions): Promise<AxeResults> };
  // While a modal dialog is open nobody can reach what is behind it; messages lie above it.
  const dialogs = document.querySelectorAll('dialog:modal, [popover]:popover-open');
  const include = document.querySelector('dialog:modal') ? [...dialogs] : [document];
  // A frame that allows no scripts can't be checked from within; its mails have tests of their own.
  const { violations } = await axe.run({ include, exclude: [['iframe[sandbox]']] }, options);
  for (const bar of bars) bar.style.position = '';
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, any: [reason] }) => `${html} ${reason?.message ?? ''}`).join(' | ')}`,
  );
}
