import type { Page } from '@playwright/test';
import { logInAs } from '../../../e2e/src/support/clinic.ts';
import { serveManyEvents } from '../../../e2e/src/support/many-events.ts';
import type { Area } from '../support/area.ts';
import { limited, type Row } from '../support/results.ts';
import { openBrowser, painted, slowDown, slowdown } from './browser.ts';

const rowCount = 1_000;
const many = `${rowCount.toLocaleString('en')} rows`;

/** Milliseconds after which somebody notices (web.dev, RAIL: respond in 100 ms, of which half for what else goes on). */
const noticed = 50;

interface Seen {
  /** Milliseconds of each task of more than 50 ms. */
  readonly tasks: number[];
  /** Milliseconds from each key to the end of its handlers, and to the next painting. */
  readonly keys: { readonly work: number; readonly painted: number }[];
}

declare global {
  interface Window {
    seen: Seen;
  }
}

export const rendering: Area = {
  name: 'rendering',
  title: 'Long tables, and typing',
  within: 180,
  async run(context) {
    const { newContext } = await openBrowser(context);
    const page = await (await newContext()).newPage();
    await logInAs(page, 'admin', '/dash/admin');
    await page.getByRole('row').nth(1).waitFor();
    await watch(page);
    await slowDown(page);
    const typedAsUsual = await type(page);
    await slowDown(page, 1);
    await openLongHistory(page);
    await watch(page);
    await slowDown(page);
    const scrolled = await scroll(page, many);
    const typedSlowly = await type(page);
    await slowDown(page, 1);
    const typed = await type(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await openLongHistory(page);
    await watch(page);
    await slowDown(page);
    const cardsScrolled = await scroll(page, `${rowCount.toLocaleString('en')} cards on a phone`);
    return {
      how: `All Users, which shows 20 rows at a time, and History, where “Show older changes” was pressed until it had ${many}; on a processor ${slowdown} times slower than this one where it says so.`,
      rows: [
        ...typedAsUsual(` above a page of 20, ${slowdown} times slower`),
        ...scrolled,
        ...cardsScrolled,
        ...typedSlowly(` above ${many}, ${slowdown} times slower`),
        ...typed(` above ${many}`),
      ],
      remarks: ['History is the one list that grows on its page; all others show pages. A key’s time to the next painting includes waiting for the frame.'],
    };
  },
};

/** Presses for older changes until there are enough, and goes back to the top. */
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

async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.seen = { tasks: [], keys: [] };
    new PerformanceObserver((list) => window.seen.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' });
    // Below 16 ms there is no entry: such keys are fast enough.
    const options = { type: 'event', durationThreshold: 16 };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as PerformanceEventTiming[]) {
        if (entry.name === 'keydown' || entry.name === 'input' || entry.name === 'keypress') window.seen.keys.push({ work: entry.processingEnd - entry.startTime, painted: entry.duration });
      }
    }).observe(options);
  });
}

async function take(page: Page): Promise<Seen> {
  await painted(page);
  return page.evaluate(() => {
    const { seen } = window;
    window.seen = { tasks: [], keys: [] };
    return seen;
  });
}

async function scroll(page: Page, what: string): Promise<Row[]> {
  const session = await page.context().newCDPSession(page);
  await take(page);
  await session.send('Input.synthesizeScrollGesture', { x: 200, y: 500, yDistance: -12_000, speed: 4_000, gestureSourceType: 'mouse' });
  await session.send('Input.synthesizeScrollGesture', { x: 200, y: 500, yDistance: 12_000, speed: 4_000, gestureSourceType: 'mouse' });
  const { tasks } = await take(page);
  const longest = Math.max(0, ...tasks);
  return [{ ...limited(`longest task while ${what} are scrolled, ${slowdown} times slower`, longest, 'ms', noticed, 'less', tasks.length === 0 ? 'no task of more than 50 ms' : `${tasks.length} tasks of more than 50 ms`), chart: what === many ? 'longest task while scrolling' : undefined }];
}

/** Types a word where the list is searched. */
async function type(page: Page): Promise<(where: string) => Row[]> {
  const field = page.getByRole('searchbox');
  await field.click();
  await take(page);
  // By the keyboard alone: looking for the field again would go through the whole page before each key.
  for (const letter of 'number') await page.keyboard.press(letter, { delay: 30 });
  const { keys } = await take(page);
  await field.fill('');
  const work = Math.max(0, ...keys.map((key) => key.work));
  const paint = Math.max(0, ...keys.map((key) => key.painted));
  return (where) => [
    { ...limited(`a key in the search field${where}: until its work is done`, work, 'ms', noticed, 'less', keys.length === 0 ? 'below 16 ms, which browsers do not report' : undefined), chart: where.includes(' 20,') ? 'a key in the search field' : undefined },
    { what: `a key in the search field${where}: until painted`, ours: { value: paint, unit: 'ms' } },
  ];
}
