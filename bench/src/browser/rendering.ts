import type { Page } from '@playwright/test';
import { logInAs } from '../../../e2e/src/support/clinic.ts';
import type { Area } from '../support/area.ts';
import { limited, type Row } from '../support/results.ts';
import { openBrowser, painted, slowDown, slowdown } from './browser.ts';

const rowCount = 1_000;

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
    await page.route('**/users?*', (route) => route.fulfill({ json: manyUsers, headers: { 'X-Total-Count': String(rowCount) } }));
    await page.goto('/dash/admin');
    await page.getByRole('row').nth(rowCount - 1).waitFor({ state: 'attached' });
    await painted(page);
    await watch(page);
    await slowDown(page);
    const scrolled = await scroll(page);
    const typedSlowly = await type(page);
    await slowDown(page, 1);
    const typed = await type(page);
    return {
      how: `All Users with ${rowCount.toLocaleString('en')} rows in one table, on a processor ${slowdown} times slower than this one where it says so.`,
      rows: [
        ...typedAsUsual(` above a page of 20, ${slowdown} times slower`),
        ...scrolled,
        ...typedSlowly(` above ${rowCount.toLocaleString('en')} rows, ${slowdown} times slower`),
        ...typed(` above ${rowCount.toLocaleString('en')} rows`),
      ],
      remarks: ['The application itself shows 20 rows at a time; a table of a thousand is what a page may cost at worst. A key’s time to the next painting includes waiting for the frame.', 'Above 1,000 rows each key draws the whole table anew, since the text of the search is the page’s state, as is the list: 5,000 cells with their menus and buttons. Drawing the list with React’s `useDeferredValue` was tried; it could not be judged on a busy machine and is not in.'],
    };
  },
};

const manyUsers = Array.from({ length: rowCount }, (_, index) => ({
  _id: index.toString(16).padStart(24, '0'), firstName: 'Person', lastName: `Number${index}`, email: `person${index}@mail.example`, phone: `+880 1555 ${String(index).padStart(6, '0')}`,
  dateOfBirth: '1990-01-31', role: 'patient',
}));

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

async function scroll(page: Page): Promise<Row[]> {
  const session = await page.context().newCDPSession(page);
  await take(page);
  await session.send('Input.synthesizeScrollGesture', { x: 700, y: 500, yDistance: -12_000, speed: 4_000, gestureSourceType: 'mouse' });
  await session.send('Input.synthesizeScrollGesture', { x: 700, y: 500, yDistance: 12_000, speed: 4_000, gestureSourceType: 'mouse' });
  const { tasks } = await take(page);
  const longest = Math.max(0, ...tasks);
  return [{ ...limited(`longest task while ${rowCount.toLocaleString('en')} rows are scrolled, ${slowdown} times slower`, longest, 'ms', noticed, 'less', tasks.length === 0 ? 'no task of more than 50 ms' : `${tasks.length} tasks of more than 50 ms`), chart: 'longest task while scrolling' }];
}

/** Types a word where users are searched. */
async function type(page: Page): Promise<(where: string) => Row[]> {
  const field = page.getByRole('searchbox').or(page.getByLabel('Search users')).first();
  await field.click();
  await take(page);
  for (const letter of 'number') await field.press(letter, { delay: 30 });
  const { keys } = await take(page);
  await field.fill('');
  const work = Math.max(0, ...keys.map((key) => key.work));
  const paint = Math.max(0, ...keys.map((key) => key.painted));
  return (where) => [
    { ...limited(`a key in the search field${where}: until its work is done`, work, 'ms', noticed, 'less', keys.length === 0 ? 'below 16 ms, which browsers do not report' : undefined), chart: where.includes(' 20,') ? 'a key in the search field' : undefined },
    { what: `a key in the search field${where}: until painted`, ours: { value: paint, unit: 'ms' } },
  ];
}
