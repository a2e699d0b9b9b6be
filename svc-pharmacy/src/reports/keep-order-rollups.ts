import { clinicInstant, clinicMoment } from '@clinic/contracts';
import {
  dayExpression,
  daysOfMonth,
  instantsOf,
  keepRollups,
  partsOf,
  replaceRollups,
  type ContextFor,
  type ReportPeriod,
  type RollupPlan,
} from '@clinic/service-kit';
import type { ClientSession } from 'mongodb';
import { orderStatuses, type OrderStatus } from '../contract/transitions.ts';
import type { settings } from '../settings.ts';
import { collectionsOf, type PharmacyCollections } from '../collections.ts';
import { medicineRollupKey, monthOf, soldStatuses } from './order-rollups.ts';
import type { MedicineRollup, OrderRollup } from './rollup-records.ts';

/** The shard for rebuilt rollups. */
const rebuiltShard = 'counted';

/** Keeps the rollups right if they are missing, don't match the orders, or were counted in another time zone. */
export function orderRollupPlan(context: ContextFor<typeof settings>): RollupPlan {
  const collections = collectionsOf(context.db);
  const timeZone = context.settings.CLINIC_TZ;
  return {
    what: 'orders',
    version: `1 ${timeZone}`,
    inStep: (month, session) => inStep(collections, { ...daysOfMonth(month), timeZone }, session),
    nextMonth: (month) => nextMonth(collections, month, timeZone),
    countMonth: (month, session) => countMonth(collections, { ...daysOfMonth(month), timeZone }, session),
  };
}

/** @returns number of months rebuilt */
export const keepOrderRollups = (context: ContextFor<typeof settings>): Promise<number> =>
  keepRollups(context, orderRollupPlan(context));

async function inStep(
  { orders, orderTallies }: PharmacyCollections,
  period: ReportPeriod,
  session: ClientSession,
): Promise<boolean> {
  const sums = Object.fromEntries(orderStatuses.map((status) => [status, { $sum: `$${status}` }]));
  const [counted] = await orderTallies
    .aggregate<Partial<Record<OrderStatus, number>>>(
      [{ $match: { day: { $gte: period.from, $lte: period.to } } }, { $group: { _id: null, ...sums } }],
      { session },
    )
    .toArray();
  for (const status of orderStatuses) {
    const placed = { status, orderDate: instantsOf(period) };
    if ((counted?.[status] ?? 0) !== (await orders.countDocuments(placed, { session }))) return false;
  }
  return true;
}

async function nextMonth(
  { orders, orderTallies }: PharmacyCollections,
  month: string,
  timeZone: string,
): Promise<string | undefined> {
  const placed =
    month === '' ? {} : { orderDate: { $gte: clinicInstant({ date: `${month}-01`, time: '00:00' }, timeZone) } };
  const order = await orders.findOne(placed, { sort: { orderDate: 1, _id: 1 }, projection: { orderDate: 1 } });
  const rollup = await orderTallies.findOne({ day: { $gte: month } }, { sort: { day: 1 }, projection: { day: 1 } });
  const days = [...(order ? [clinicMoment(order.orderDate, timeZone).date] : []), ...(rollup ? [rollup.day] : [])];
  return days.map(monthOf).toSorted()[0];
}

async function countMonth(
  collections: PharmacyCollections,
  period: ReportPeriod,
  session: ClientSession,
): Promise<void> {
  const sold: MedicineRollup[] = [];
  const orders: OrderRollup[] = [];
  for (const days of partsOf(period, daysAtOnce)) {
    const soldThen = await soldOnDays(collections, days, session);
    sold.push(...soldThen);
    orders.push(...(await ordersOfDays(collections, days, soldThen, session)));
  }
  const { from, to } = period;
  await replaceRollups(collections.orderTallies, { day: { $gte: from, $lte: to } }, orders, session);
  await replaceRollups(
    collections.medicineTallies,
    { span: { $gte: monthOf(from), $lte: to } },
    [...sold, ...soldInMonth(sold)],
    session,
  );
}

/** Days added up by one command. */
const daysAtOnce = 2;

async function soldOnDays(
  { orders }: PharmacyCollections,
  period: ReportPeriod,
  session: ClientSession,
): Promise<MedicineRollup[]> {
  const rows = await orders
    .aggregate<
      Pick<MedicineRollup, 'name' | 'quantity' | 'revenueMinor'> & {
        readonly _id: { readonly span: string; readonly medicineId: string };
      }
    >(
      [
        { $match: { orderDate: instantsOf(period), status: { $in: soldStatuses } } },
        { $sort: { orderDate: 1, _id: 1 } },
        { $unwind: '$items' },
        {
          $group: {
            _id: { span: dayExpression('$orderDate', period), medicineId: '$items.medicineId' },
            name: { $last: '$items.name' },
            quantity: { $sum: '$items.quantity' },
            revenueMinor: { $sum: { $multiply: ['$items.priceMinor', '$items.quantity'] } },
          },
        },
        { $sort: { _id: 1 } },
      ],
      { session },
    )
    .toArray();
  return rows.map(({ _id: { span, medicineId }, name, quantity, revenueMinor }) => ({
    _id: medicineRollupKey(span, medicineId),
    span,
    medicineId,
    name,
    quantity,
    revenueMinor,
  }));
}

async function ordersOfDays(
  { orders }: PharmacyCollections,
  period: ReportPeriod,
  sold: readonly MedicineRollup[],
  session: ClientSession,
): Promise<OrderRollup[]> {
  const rows = await orders
    .aggregate<{ readonly _id: { readonly day: string; readonly status: OrderStatus }; readonly orders: number }>(
      [
        { $match: { orderDate: instantsOf(period) } },
        { $group: { _id: { day: dayExpression('$orderDate', period), status: '$status' }, orders: { $sum: 1 } } },
      ],
      { session },
    )
    .toArray();
  const revenues = Map.groupBy(sold, ({ span }) => span);
  return [...Map.groupBy(rows, ({ _id }) => _id.day)].map(([day, ofDay]) => ({
    _id: `${day} ${rebuiltShard}`,
    day,
    ...Object.fromEntries(ofDay.map(({ _id, orders: count }) => [_id.status, count])),
    revenueMinor: sumOf(revenues.get(day) ?? [], 'revenueMinor'),
  }));
}

/** Monthly totals per medicine, from days in ascending order. */
function soldInMonth(days: readonly MedicineRollup[]): MedicineRollup[] {
  return [...Map.groupBy(days, ({ medicineId }) => medicineId)].flatMap(([medicineId, ofMedicine]) => {
    const last = ofMedicine.at(-1);
    if (!last) return [];
    const span = monthOf(last.span);
    return [
      {
        _id: medicineRollupKey(span, medicineId),
        span,
        medicineId,
        name: last.name,
        quantity: sumOf(ofMedicine, 'quantity'),
        revenueMinor: sumOf(ofMedicine, 'revenueMinor'),
      },
    ];
  });
}

function sumOf(rollups: readonly MedicineRollup[], field: 'quantity' | 'revenueMinor'): number {
  return rollups.reduce((sum, rollup) => sum + rollup[field], 0);
}
