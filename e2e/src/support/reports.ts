import { expect, type Locator, type Page } from '@playwright/test';
import { addDays } from '@clinic/contracts/clinic-time';
import type { AppointmentReport } from '@clinic/svc-clinic/contract/reports';
import type { OrderReport, StockReport } from '@clinic/svc-pharmacy/contract/reports';
import type { UserReport } from '@clinic/svc-identity/contract/reports';

/** The services' reports by the path of their call. */
interface Reports {
  readonly '/appoinments/report': AppointmentReport;
  readonly '/orderMedi/report': OrderReport;
  readonly '/medicine/report': StockReport;
  readonly '/users/report': UserReport;
}

/** The days a report covers; the stock report covers today only. */
interface Span {
  readonly from: string;
  readonly to: string;
}

/** Whether a report covers this many days. */
export const lasting =
  (days: number) =>
  ({ from, to }: Span): boolean =>
    addDays(from, days - 1) === to;

/**
 * Records the services' responses to a page, to compare with what it shows while others book and order.
 *
 * @returns the latest response of a call, once it covers the requested days
 */
export function followReports(
  page: Page,
): <Path extends keyof Reports>(path: Path, matches?: (span: Span) => boolean) => Promise<Reports[Path]> {
  const received = new Map<string, unknown>();
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.endsWith('/report') || !response.ok()) return;
    response.json().then(
      (report: unknown) => received.set(pathname, report),
      // Its content is gone once the page has moved on; what follows is a stack.
      (error: Error) => console.warn(`${pathname}: ${error.message.split('\n', 1)[0]}`),
    );
  });
  return async <Path extends keyof Reports>(path: Path, matches?: (span: Span) => boolean) => {
    await expect.poll(() => received.has(path) && (matches?.(received.get(path) as Span) ?? true), path).toBe(true);
    return received.get(path) as Reports[Path];
  };
}

/** A panel of the overview by its title. */
export function chart(page: Page, title: string): Locator {
  return page.getByRole('region', { name: title, exact: true });
}

/** The cells of a panel's table, row by row, in reading order. */
export async function cellsOf(panel: Locator): Promise<string[][]> {
  return panel
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
}

/** Expects the panel's table to have these rows, once it is drawn. */
export async function expectCells(panel: Locator, cells: readonly (readonly string[])[]): Promise<void> {
  await expect.poll(() => cellsOf(panel)).toEqual(cells);
}

/** The figure above a label, e.g. '1,234'. */
export async function figure(page: Page, section: string, label: string): Promise<string> {
  const card = page
    .getByRole('region', { name: section, exact: true })
    .locator('.ui-stat')
    .filter({ has: page.getByText(label, { exact: true }) });
  return card.locator('.ui-stat-value').innerText();
}

/** Clicks a panel's export. @returns the file's name and its text */
export async function exportOf(page: Page, title: string): Promise<{ readonly name: string; readonly text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Export CSV: ${title}` }).click(),
  ]);
  const stream = await download.createReadStream();
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return { name: download.suggestedFilename(), text: Buffer.concat(parts).toString('utf8') };
}
