import { formatDate } from '@clinic/contracts/clinic-time';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { formatOrderTotal, orderTotalMinor, toMinor } from '@clinic/contracts/money';
import { dayOf, groupsOf } from '@clinic/ui/testing/chart-groups';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, follow, isPhone, onAnyDevice, picture, test } from '../support/clinic.ts';
import { logInAs } from '../support/log-in.ts';
import { cellsOf, chart, expectCells, exportOf, figure, followReports, lasting } from '../support/reports.ts';

/** Chart code and the domains' parts of the overview: no other page loads them. */
const ofTheOverview = /\/(?:charts|slot-overview)[-.\w]*\.(?:js|css)$/;

test('an admin sees the clinic in figures, which match the services’', onAnyDevice, async ({ page }) => {
  const reports = followReports(page);
  const loaded: string[] = [];
  page.on('request', (request) => {
    if (ofTheOverview.test(request.url())) loaded.push(new URL(request.url()).pathname);
  });
  await logInAs(page, 'admin', '/dash/admin');
  await page.waitForLoadState('networkidle');
  expect(loaded, 'files of the overview before it is opened').toEqual([]);
  await follow(page, 'Dashboard', 'Overview');
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  for (const title of ['Appointments', 'Orders', 'Stock at risk', 'Users'])
    await expect(page.getByRole('heading', { level: 2, name: title, exact: true })).toBeVisible();
  await expect(chart(page, 'Users by role')).toBeVisible();
  expect(loaded.map((path) => path.split('/').at(-1)?.split('.')[0])).toEqual(
    expect.arrayContaining(['charts', 'slot-overview']),
  );

  await test.step('appointments', async () => {
    const { totals, byDay, bySpecialty, byDoctor, cancellations } = await reports('/appoinments/report', lasting(30));
    await expect.poll(() => figure(page, 'Appointments', 'Appointments')).toBe(totals.all.toLocaleString('en'));
    await expect.poll(() => figure(page, 'Appointments', 'Confirmed')).toBe(totals.confirmed.toLocaleString('en'));
    await expect.poll(() => figure(page, 'Appointments', 'Cancelled')).toBe(cancellations.count.toLocaleString('en'));
    // While the chart is shown, the table is there for screen readers.
    const numbers = (...values: number[]): string[] => values.map((value) => value.toLocaleString('en'));
    await expectCells(
      chart(page, 'Appointments by day'),
      byDay.map((day) => [formatDate(day.date), ...numbers(day.total, day.confirmed, day.pending, day.cancelled)]),
    );
    await expectCells(
      chart(page, 'Cancellations by day'),
      byDay.map((day) => [formatDate(day.date), ...numbers(day.cancelled, day.total)]),
    );
    await expectCells(
      chart(page, 'Appointments by specialty'),
      bySpecialty.map((row) => [row.specialty || 'None', ...numbers(row.total, row.cancelled)]),
    );
    await expectCells(
      chart(page, 'Appointments by doctor'),
      byDoctor.map((row) => [
        row.name,
        row.specialty,
        ...numbers(row.total, row.confirmed, row.pending, row.cancelled),
      ]),
    );
  });

  await test.step('orders, revenue and stock', async () => {
    const { totals, byDay } = await reports('/orderMedi/report', lasting(30));
    await expect.poll(() => figure(page, 'Orders', 'Revenue')).toBe(formatOrderTotal(toMinor(totals.revenue)));
    await expectCells(
      chart(page, 'Revenue by day'),
      byDay.map(({ date, revenue }) => [formatDate(date), formatOrderTotal(toMinor(revenue))]),
    );
    await expectCells(
      chart(page, 'Orders by day'),
      byDay.map(({ date, orders, cancelled }) => [
        formatDate(date),
        orders.toLocaleString('en'),
        cancelled.toLocaleString('en'),
      ]),
    );
    const stock = await reports('/medicine/report');
    await expectCells(chart(page, 'Medicines at risk'), [
      ['Expired', String(stock.expired.count)],
      ['Out of stock', String(stock.outOfStock.count)],
      ['Expires soon', String(stock.nearExpiry.count)],
      ['Low stock', String(stock.lowStock.count)],
    ]);
  });

  await test.step('users', async () => {
    const { created, newByDay } = await reports('/users/report', lasting(30));
    await expect.poll(() => figure(page, 'Users', 'New users')).toBe(created.toLocaleString('en'));
    await expectCells(
      chart(page, 'New users by day'),
      newByDay.map(({ date, count }) => [formatDate(date), count.toLocaleString('en')]),
    );
  });

  await expectAccessible(page);
  await picture(page, 'admin overview');
});

test('a chart can be navigated, seen as a table and saved as a file', async ({ page }) => {
  const reports = followReports(page);
  await logInAs(page, 'admin', '/dash/overview?period=7');
  const panel = chart(page, 'Appointments by day');
  const { byDay, from, to } = await reports('/appoinments/report', lasting(7));

  await test.step('by keyboard', async () => {
    const slider = panel.getByRole('slider');
    await slider.focus();
    await page.keyboard.press('ArrowLeft');
    const before = byDay.at(-2);
    await expect(slider).toHaveAttribute(
      'aria-valuetext',
      new RegExp(`^${formatDate(before?.date ?? '')}: ${before?.total}`),
    );
    await expect(panel.locator('.ui-chart-tooltip')).toContainText(formatDate(before?.date ?? ''));
    await page.keyboard.press('Home');
    await expect(slider).toHaveAttribute('aria-valuetext', new RegExp(`^${formatDate(from)}: `));
    await expectAccessible(page);
    await picture(page, 'admin overview a day');
    await page.keyboard.press('Escape');
    await expect(panel.locator('.ui-chart-tooltip')).toHaveCount(0);
  });

  await test.step('with a pointer or a finger', async () => {
    // Within the first of seven bars.
    const plot = panel.locator('.ui-chart-plot');
    const firstBar = { position: { x: 50, y: 100 } };
    await (isPhone(page) ? plot.tap(firstBar) : plot.hover(firstBar));
    await expect(panel.locator('.ui-chart-tooltip')).toContainText(formatDate(from));
    await (isPhone(page)
      ? page.getByRole('heading', { level: 1 }).tap()
      : page.getByRole('heading', { level: 1 }).hover());
    await expect(panel.locator('.ui-chart-tooltip')).toHaveCount(0);
  });

  await test.step('as a table', async () => {
    await expect(panel.locator('tbody tr')).toHaveCount(7);
    const figures = await cellsOf(panel);
    await page.getByRole('button', { name: 'Show as table: Appointments by day' }).click();
    await expect(panel.getByRole('region', { name: 'Appointments by day, table' })).toBeVisible();
    await expect(panel.getByRole('slider')).toHaveCount(0);
    await expectCells(panel, figures);
    await expectAccessible(page);
    await picture(page, 'admin overview as a table');
    await page.getByRole('button', { name: 'Show as chart: Appointments by day' }).click();
    await expect(panel.getByRole('slider')).toBeVisible();
  });

  await test.step('as a file', async () => {
    const { name, text } = await exportOf(page, 'Appointments by day');
    expect(name).toBe(`appointments-by-day-${from}-to-${to}.csv`);
    const lines = byDay.map(({ date, total, confirmed, pending, cancelled }) =>
      [date, total, confirmed, pending, cancelled].join(','),
    );
    expect(text).toBe(`\u{FEFF}${['Day,All,Confirmed,Pending,Cancelled', ...lines].join('\r\n')}\r\n`);
    const revenue = await exportOf(page, 'Revenue by day');
    const orders = await reports('/orderMedi/report', lasting(7));
    expect(revenue.text.split('\r\n').slice(1, -1)).toEqual(orders.byDay.map((day) => `${day.date},${day.revenue}`));
  });
});

test(
  'a year is drawn in weeks, none of them lost, and custom dates stay in the address',
  onAnyDevice,
  async ({ page }) => {
    const reports = followReports(page);
    await logInAs(page, 'admin', '/dash/overview');
    const period = (name: string) => page.getByRole('radio', { name, exact: true });
    await expect(period('30 days')).toBeChecked();
    await test.step('this year', async () => {
      await period('This year').check();
      await expect(page).toHaveURL('/dash/overview?period=year');
      const { totals } = await reports('/appoinments/report', ({ from }) => from.endsWith('-01-01'));
      await expect(chart(page, 'Appointments by week').or(chart(page, 'Appointments by day'))).toBeVisible();
      await expect.poll(() => figure(page, 'Appointments', 'Appointments')).toBe(totals.all.toLocaleString('en'));
    });

    await test.step('custom dates', async () => {
      await period('Custom').check();
      await page.getByLabel('First day').fill('2026-03-01');
      await page.getByLabel('Last day').fill('2026-02-01');
      await expect(page.getByText('The last day is before the first')).toBeVisible();
      await page.getByLabel('Last day').fill('2026-12-31');
      await expect(page).toHaveURL('/dash/overview?period=own&from=2026-03-01&to=2026-12-31');
      const { byDay } = await reports('/appoinments/report', lasting(306));
      const weeks = chart(page, 'Appointments by week');
      await expect(weeks).toBeVisible();
      await expect(weeks.locator('tbody tr').last()).toContainText('Dec 28 – Dec 31, 2026');
      const drawn = await cellsOf(weeks);
      expect(drawn[0]?.[0]).toBe('Mar 1, 2026');
      expect(drawn.reduce((sum, [, all]) => sum + Number(all), 0)).toBe(
        byDay.reduce((sum, { total }) => sum + total, 0),
      );
      await page.reload();
      await expect(page.getByLabel('Last day')).toHaveValue('2026-12-31');
      await expectBarsLikeLists(page, { from: '2026-03-01', to: '2026-12-31' });
      await expectAccessible(page);
      await picture(page, 'admin overview own dates');
    });
  },
);

/** Compares the weeks' bars on the page with the appointments and orders themselves. */
async function expectBarsLikeLists(page: Page, dates: { readonly from: string; readonly to: string }): Promise<void> {
  const appointmentBars = chart(page, 'Appointments by week');
  const revenueBars = chart(page, 'Revenue by week');
  await expect(appointmentBars).toBeVisible();
  const config = await page.locator('#config').textContent();
  const { clinicTimeZone: timeZone } = JSON.parse(config ?? '') as { readonly clinicTimeZone: string };
  const shown = { name: 'own dates', timeZone, grain: 'week', ...dates } as const;
  // Other tests book and order meanwhile: page and lists must be read at the same moment.
  await expect(async () => {
    await page.reload();
    const appointments = groupsOf(
      shown,
      (await (await page.request.get('/appoinments')).json()) as Appointment[],
      ({ date }) => date,
    );
    const orders = groupsOf(shown, (await (await page.request.get('/orderMedi')).json()) as Order[], ({ orderDate }) =>
      dayOf(new Date(orderDate), timeZone),
    );
    await expect(revenueBars.locator('tbody tr')).toHaveCount(orders.size);
    const count = (of: readonly { readonly status: string }[], status?: string): string =>
      of.filter((each) => status === undefined || each.status === status).length.toLocaleString('en');
    expect(await cellsOf(appointmentBars)).toEqual(
      [...appointments].map(([name, of]) => [
        name,
        count(of),
        count(of, 'Confirmed'),
        count(of, 'Pending'),
        count(of, 'Cancelled'),
      ]),
    );
    const sold = (of: readonly Order[]): number =>
      of.reduce((sum, { status, items }) => (status === 'Cancelled' ? sum : sum + orderTotalMinor(items)), 0);
    expect(await cellsOf(revenueBars)).toEqual([...orders].map(([name, of]) => [name, formatOrderTotal(sold(of))]));
  }).toPass();
}
