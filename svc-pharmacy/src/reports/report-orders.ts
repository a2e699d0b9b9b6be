import { toMajor } from '@clinic/contracts';
import type { OrderReport } from '../contract/reports.ts';
import { daysOf, daysOfMonth, type ReportPeriod } from '@clinic/service-kit';
import type { ClientSession, Document } from 'mongodb';
import type { PharmacyCollections } from '../collections.ts';
import { orderStatuses, type OrderStatus } from '../contract/transitions.ts';
import { monthOf } from './order-rollups.ts';
import type { MedicineRollup } from './rollup-records.ts';

/** Number of best sellers in the report. */
const mostSold = 10;

/** Totals of a day's or a period's orders. */
type Sums = Readonly<Record<OrderStatus, number>> & { readonly revenueMinor: number };

type MedicineRow = Pick<MedicineRollup, '_id' | 'name' | 'quantity' | 'revenueMinor'>;

const none: Sums = { pending: 0, Shipped: 0, Delivered: 0, Cancelled: 0, revenueMinor: 0 };
const summed = [...orderStatuses, 'revenueMinor'] as const;

/** Order figures of a period, in one snapshot. */
export async function orderReport(
  { orderTallies, medicineTallies }: PharmacyCollections,
  period: ReportPeriod,
  session: ClientSession,
): Promise<OrderReport> {
  const days = await orderTallies.aggregate<Sums & { readonly _id: string }>(sumsOfDays(period), { session }).toArray();
  const medicines = await medicineTallies.aggregate<MedicineRow>(soldMost(period), { session }).toArray();
  const ofDay = new Map(days.map((day) => [day._id, day]));
  const all = days.reduce<Sums>(
    (sum, day) => Object.fromEntries(summed.map((name) => [name, sum[name] + day[name]])) as unknown as Sums,
    none,
  );
  const { revenueMinor, ...byStatus } = all;
  return {
    ...period,
    totals: { orders: ordersOf(all), byStatus, revenue: toMajor(revenueMinor) },
    byDay: daysOf(period).map((date) => {
      const day = ofDay.get(date) ?? none;
      return { date, orders: ordersOf(day), cancelled: day.Cancelled, revenue: toMajor(day.revenueMinor) };
    }),
    topMedicines: medicines.map(({ _id, name, quantity, revenueMinor: minor }) => ({
      medicineId: _id,
      name,
      quantity,
      revenue: toMajor(minor),
    })),
  };
}

function ordersOf(sums: Sums): number {
  return orderStatuses.reduce((sum, status) => sum + sums[status], 0);
}

/** Pipeline for the totals of each day. */
export function sumsOfDays({ from, to }: ReportPeriod): Document[] {
  return [
    { $match: { day: { $gte: from, $lte: to } } },
    { $group: { _id: '$day', ...Object.fromEntries(summed.map((name) => [name, { $sum: `$${name}` }])) } },
  ];
}

/** Pipeline for the best sellers. */
export function soldMost(period: ReportPeriod): Document[] {
  return [
    { $match: { span: { $in: spansOf(period) } } },
    { $sort: { span: 1 } },
    {
      $group: {
        _id: '$medicineId',
        name: { $last: '$name' },
        quantity: { $sum: '$quantity' },
        revenueMinor: { $sum: '$revenueMinor' },
      },
    },
    { $match: { quantity: { $gt: 0 } } },
    { $sort: { quantity: -1, _id: 1 } },
    { $limit: mostSold },
  ];
}

/** The fewest spans that make up a period: whole months as months, the rest as days. */
export function spansOf({ from, to }: Pick<ReportPeriod, 'from' | 'to'>): string[] {
  return [...Map.groupBy(daysOf({ from, to }), monthOf)].flatMap(([month, days]) => {
    const whole = daysOfMonth(month);
    return days[0] === whole.from && days.at(-1) === whole.to ? [month] : days;
  });
}
