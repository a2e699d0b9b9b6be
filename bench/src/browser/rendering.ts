import type { Page } from '@playwright/test';
import { logInAs } from '../../../e2e/src/support/log-in.ts';
import { serveManyEvents } from '../../../e2e/src/support/many-events.ts';
import type { Area } from '../support/area.ts';
import { limited, type Row } from '../support/results.ts';
import { openBrowser, painted, slowdown, workOf } from './browser.ts';

const rowCount = 1_000;
const many = `${rowCount.toLocaleString('en')} rows`;

/** Milliseconds after which a delay is noticeable (web.dev, RAIL: respond in 100 ms, half of it for other work). */
const noticed = 50;

export const rendering: Area = {
  name: 'rendering',
  title: 'Long tables, and typing',
  within: 180,
  async run(context) {
    const { newContext } = await openBrowser(context);
    const page = await (await newContext()).newPage();
    await logInAs(page, 'admin', '/dash/admin');
    await page.getByRole('row').nth(1).waitFor();
    const typedAsUsual = await type(page, 'a page of 20');
    await openLongHistory(page);
    const scrolled = await scroll(page, many);
    const typed = await type(page, many);
    await page.setViewportSize({ width: 390, height: 844 });
    await openLongHistory(page);
    const cardsScrolled = await scroll(page, `${rowCount.toLocaleString('en')} cards on a phone`);
    return {
      how: `All Users, which shows 20 rows at a time, and History, where “Show older changes” was pressed until it had ${many}. Processor time of the main thread, times ${slowdown} for a processor that is ${slowdown} times slower.`,
      rows: [...typedAsUsual, ...typed, scrolled, cardsScrolled],
      remarks: ['History is the one list that grows on its page; all others show pages.'],
    };
  },
};

/** Loads older changes until there are enough, and goes back to the top. */
async function openLongHistory(page: Page): Promise<void> {
  await serveManyEvents(page);
  await page.goto('/dash/history');
  const shown = page.locator('tbody tr:not([aria-hidden]), .ui-cards > li');
  await page.getByText('note:').first().waitFor();
  for (let before = await shown.count(); before < rowCount; before = await shown.count()) {
    await page.getByRole('button', { name: 'Show older changes' }).click();
    await shown.nth(before).waitFor({ state: 'attached' });
  }
  await page.evaluate(() => window.scrollTo(0, 0));
  await painted(page);
}

async function scroll(page: Page, what: string): Promise<Row> {
  const session = await page.context().newCDPSession(page);
  const gesture = { x: 200, y: 500, speed: 4_000, gestureSourceType: 'mouse' } as const;
  const { tasks } = await workOf(page, async () => {
    for (const yDistance of [-12_000, 12_000])
      await session.send('Input.synthesizeScrollGesture', { ...gesture, yDistance });
    await painted(page);
  });
  const longest = Math.max(...tasks) * slowdown;
  return {
    ...limited(`longest task while ${what} are scrolled, ${slowdown} times slower`, longest, 'ms', noticed),
    chart: what === many ? 'longest task while scrolling' : undefined,
  };
}

/** Types a word into the list's search field. */
async function type(page: Page, above: string): Promise<Row[]> {
  await page.getByRole('searchbox').click();
  await painted(page);
  const { keys } = await workOf(page, async () => {
    // Keyboard only: locating the field again would search the whole page before each key.
    for (const letter of 'number') await page.keyboard.press(letter, { delay: 30 });
    await painted(page);
  });
  const longest = Math.max(...keys);
  return [
    limited(`a key in the search field above ${above}`, longest, 'ms', noticed),
    {
      ...limited(
        `a key in the search field above ${above}, ${slowdown} times slower`,
        longest * slowdown,
        'ms',
        noticed,
      ),
      chart: above === many ? 'a key in the search field' : undefined,
    },
  ];
}
