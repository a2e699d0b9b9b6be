import type { Page } from '@playwright/test';
import { logInAs } from '../../../e2e/src/support/log-in.ts';
import type { Area } from '../support/area.ts';
import { limited, type Row } from '../support/results.ts';
import { median } from '../support/rounds.ts';
import { openBrowser, painted } from './browser.ts';

/** Target in milliseconds of work for a page change, once its code is loaded. */
const target = 100;

/** Pages to switch between by their menu links. */
const publicPages = ['/', '/ourDoctors', '/medicinestore', '/about'];
const dashPages = ['/dash/admin', '/dash/orders', '/dash/appoinments', '/dash/history'];

export const navigation: Area = {
  name: 'navigation',
  title: 'Changing pages',
  within: 240,
  async run(context) {
    const { newContext } = await openBrowser(context);
    const steps = Math.max(2, Math.round(8 * context.effort));
    const page = await (await newContext()).newPage();
    await page.goto('/');
    const rows = await rowsOf(page, publicPages, steps);
    await logInAs(page, 'admin', '/dash/admin');
    rows.push(...(await rowsOf(page, dashPages, steps)));
    return {
      how: `Work of the main thread (scripts, styles, layout, painting) from the click on a link until the page has its heading and its data and is painted, medians of ${steps} changes after the page was visited once.`,
      rows,
    };
  },
};

async function rowsOf(page: Page, pages: readonly string[], steps: number): Promise<Row[]> {
  const works = new Map<string, number[]>(pages.map((path) => [path, []]));
  for (let step = -1; step < steps; step += 1) {
    // Last one first, so that the first change is a real one, too.
    for (const path of pages.toReversed()) {
      const work = await change(page, path);
      if (step >= 0) works.get(path)?.push(work);
    }
  }
  return pages.map((path) => ({
    ...limited(`to ${path}`, median(works.get(path) ?? []), 'ms', target),
    chart: path === '/ourDoctors' || path === '/dash/admin' ? `work of changing to ${path}` : undefined,
  }));
}

/** Follows the link to a page. @returns milliseconds of main-thread work */
async function change(page: Page, path: string): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
  const link = page.locator(`a[href="${path}"]`).filter({ visible: true }).first();
  await link.waitFor();
  await painted(page);
  const before = await worked();
  await link.evaluate((element: HTMLElement) => element.click());
  await page.waitForURL(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForFunction(() => !document.body.innerText.includes('Loading...'));
  await painted(page);
  const work = (await worked()) - before;
  await session.detach();
  return work;
}
