import { orderStatuses, toMajor, type OrderReport, type OrderStatus } from '@clinic/contracts';
import { dayExpression, daysOf, instantsOf, type ReportPeriod } from '@clinic/service-kit';
import type { ClientSession, Document } from 'mongodb';
import type { Stores } from '../stores.ts';

/** How many medicines the report names as sold most. */
const mostSold = 10;

interface StatusRow {
  readonly _id: { readonly day: string; readonly status: OrderStatus };
  readonly orders: number;
}

interface SalesRow {
  readonly _id: string;
  readonly revenueMinor: number;
}

interface MedicineRow extends SalesRow {
  readonly name: string;
  readonly quantity: number;
}

/** Orders of a period in figures, in the state of one moment. */
export async function orderReport({ orders }: Stores, period: ReportPeriod, session: ClientSession): Promise<OrderReport> {
  const read = <Row extends Document>(pipeline: Document[]) => orders.aggregate<Row>(pipeline, { session }).toArray();
  const within = { orderDate: instantsOf(period) };
  const day = dayExpression('$orderDate', period);
  const revenueMinor = { $sum: { $multiply: ['$items.priceMinor', '$items.quantity'] } };
  const sold = [{ $match: { ...within, status: { $in: orderStatuses.filter((status) => status !== 'Cancelled') } } }, { $unwind: '$items' }];

  const statuses = await read<StatusRow>([{ $match: within }, { $group: { _id: { day, status: '$status' }, orders: { $sum: 1 } } }]);
  const sales = await read<SalesRow>([...sold, { $group: { _id: day, revenueMinor } }]);
  const medicines = await read<MedicineRow>([
    ...sold,
    { $group: { _id: '$items.medicineId', name: { $last: '$items.name' }, quantity: { $sum: '$items.quantity' }, revenueMinor } },
    { $sort: { quantity: -1, _id: 1 } },
    { $limit: mostSold },
  ]);
  return assemble(period, statuses, sales, medicines);
}

function assemble(period: ReportPeriod, statuses: readonly StatusRow[], sales: readonly SalesRow[], medicines: readonly MedicineRow[]): OrderReport {
  const ofDay = Map.groupBy(statuses, ({ _id }) => _id.day);
  const revenueOf = new Map(sales.map(({ _id, revenueMinor }) => [_id, revenueMinor]));
  const countOf = (rows: readonly StatusRow[], status?: OrderStatus) =>
    rows.filter(({ _id }) => status === undefined || _id.status === status).reduce((sum, { orders }) => sum + orders, 0);
  return {
    ...period,
    totals: {
      orders: countOf(statuses),
      byStatus: Object.fromEntries(orderStatuses.map((status) => [status, countOf(statuses, status)])) as Record<OrderStatus, number>,
      revenue: toMajor(sales.reduce((sum, { revenueMinor }) => sum + revenueMinor, 0)),
    },
    byDay: daysOf(period).map((date) => {
      const rows = ofDay.get(date) ?? [];
      return { date, orders: countOf(rows), cancelled: countOf(rows, 'Cancelled'), revenue: toMajor(revenueOf.get(date) ?? 0) };
    }),
    topMedicines: medicines.map(({ _id, name, quantity, revenueMinor }) => ({ medicineId: _id, name, quantity, revenue: toMajor(revenueMinor) })),
  };
}
