/** @jest-environment-options { "timeZone": "America/New_York" } */
import { queryClient, QueryClientProvider } from '@clinic/app-kit/host';
import { addDays, clinicMoment } from '@clinic/contracts';
import type { OrderReport, StockReport } from '@clinic/svc-pharmacy/contract/reports';
import { cellsOf } from '@clinic/ui/testing/chart-cells';
import { dayOf, groupsOf, instantsAround, reportCases, type ReportCase } from '@clinic/ui/testing/chart-groups';
import { render, screen } from '@testing-library/react';
import { PharmacyFigures } from './pharmacy-figures.tsx';

interface RawOrder {
  readonly at: Date;
  readonly status: keyof OrderReport['totals']['byStatus'];
  /** Minor currency units. */
  readonly total: number;
}

const statuses = ['pending', 'Shipped', 'Delivered', 'Cancelled'] as const;
const ordersOf = (period: ReportCase): RawOrder[] =>
  instantsAround(period).map((at, index) => ({
    at,
    status: statuses[((index * 7) % 5) % 4] ?? 'pending',
    total: (index * 1_337) % 100_000,
  }));

const kept = (orders: readonly RawOrder[]): number =>
  orders.reduce((sum, { status, total }) => (status === 'Cancelled' ? sum : sum + total), 0);
const cancelled = (orders: readonly RawOrder[]): number => orders.filter(({ status }) => status === 'Cancelled').length;

/** By day, as in the service's response. */
function reportOf({ timeZone, from, to }: ReportCase, all: readonly RawOrder[]): OrderReport {
  const byDate = Map.groupBy(all, ({ at }) => clinicMoment(at, timeZone).date);
  const byDay: OrderReport['byDay'] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const orders = byDate.get(date) ?? [];
    byDay.push({ date, orders: orders.length, cancelled: cancelled(orders), revenue: kept(orders) / 100 });
  }
  const within = all.filter(
    ({ at }) => clinicMoment(at, timeZone).date >= from && clinicMoment(at, timeZone).date <= to,
  );
  const byStatus = Object.fromEntries(
    statuses.map((status) => [status, within.filter((order) => order.status === status).length]),
  ) as OrderReport['totals']['byStatus'];
  return {
    from,
    to,
    timeZone,
    totals: { orders: within.length, byStatus, revenue: kept(within) / 100 },
    byDay,
    topMedicines: [],
  };
}

const stock: StockReport = {
  today: '2026-11-22',
  timeZone: 'Asia/Dhaka',
  medicines: 0,
  ...Object.fromEntries(
    ['lowStock', 'outOfStock', 'nearExpiry', 'expired'].map((list) => [list, { count: 0, first: [] }]),
  ),
} as unknown as StockReport;

beforeEach(() => queryClient.clear());

test('these tests run in a time zone with clock changes', () => {
  expect([new Date(2026, 6, 1).getTimezoneOffset(), new Date(2026, 0, 1).getTimezoneOffset()]).toEqual([240, 300]);
});

test.each(reportCases)('orders and revenue match the orders: $name ($timeZone)', async (period) => {
  const orders = ordersOf(period);
  globalThis.fetch = async (input) =>
    Response.json(
      (input instanceof Request ? input.url : input).toString().includes('/medicine/')
        ? stock
        : reportOf(period, orders),
    );
  render(
    <QueryClientProvider client={queryClient}>
      <PharmacyFigures from={period.from} to={period.to} />
    </QueryClientProvider>,
  );
  const groups = [...groupsOf(period, orders, ({ at }) => dayOf(at, period.timeZone))];
  const written = (amount: number): string => (amount / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
  expect(await cellsOf(`Orders by ${period.grain}`)).toEqual(
    groups.map(([name, of]) => [name, of.length.toLocaleString('en'), cancelled(of).toLocaleString('en')]),
  );
  expect(await cellsOf(`Revenue by ${period.grain}`)).toEqual(
    groups.map(([name, of]) => [name, `৳${written(kept(of))}`]),
  );
  const all = groups.flatMap(([, of]) => of);
  expect(all.length).toBeGreaterThan(20);
  expect(screen.getAllByText(`৳${written(kept(all))}`).length).toBeGreaterThan(0);
});
