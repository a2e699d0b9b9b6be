import { addDays, clinicInstant, orderTotalMinor, toMajor, toMinor } from '@clinic/contracts';
import type { Order } from '../contract/order-schemas.ts';
import type { OrderReport } from '../contract/reports.ts';
import fc from 'fast-check';
import { orderStatuses } from '../contract/transitions.ts';
import type { OrderRecord } from '../orders/order-record.ts';
import { read, storedLine, storedOrder, type TestPharmacy } from './test-pharmacy.ts';

/**
 * The report of orders, computed from the raw list in a different way from the service's.
 *
 * @param from - first day, 'yyyy-mm-dd' in the clinic's time zone
 * @param to - last day, inclusive
 */
export async function expectedReport(pharmacy: TestPharmacy, from: string, to: string): Promise<OrderReport> {
  const timeZone = pharmacy.context.settings.CLINIC_TZ;
  const days = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  const all = await read(pharmacy.as('admin'), 'listOrders', '/orderMedi');
  const dated = all
    .map((each) => ({ ...each, day: days.format(new Date(each.orderDate)) }))
    .filter(({ day }) => day >= from && day <= to);
  const sold = (orders: readonly Order[]) => orders.filter(({ status }) => status !== 'Cancelled');
  const revenue = (orders: readonly Order[]) =>
    toMajor(sold(orders).reduce((sum, { items }) => sum + orderTotalMinor(items), 0));
  const byDay: OrderReport['byDay'] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const orders = dated.filter(({ day }) => day === date);
    byDay.push({
      date,
      orders: orders.length,
      cancelled: orders.filter(({ status }) => status === 'Cancelled').length,
      revenue: revenue(orders),
    });
  }
  const lines = sold(dated.toSorted((a, b) => a.orderDate.localeCompare(b.orderDate))).flatMap(({ items }) => items);
  const medicines = [...Map.groupBy(lines, ({ medicineId }) => medicineId)].map(([medicineId, of]) => ({
    medicineId,
    name: of.at(-1)?.name ?? '',
    quantity: of.reduce((sum, { quantity }) => sum + quantity, 0),
    revenue: toMajor(of.reduce((sum, { pricePerUnit, quantity }) => sum + toMinor(pricePerUnit) * quantity, 0)),
  }));
  const statuses = orderStatuses.map((status) => [status, dated.filter((each) => each.status === status).length]);
  return {
    from,
    to,
    timeZone,
    byDay,
    totals: {
      orders: dated.length,
      byStatus: Object.fromEntries(statuses) as OrderReport['totals']['byStatus'],
      revenue: revenue(dated),
    },
    topMedicines: medicines
      .toSorted((a, b) => b.quantity - a.quantity || (a.medicineId < b.medicineId ? -1 : 1))
      .slice(0, 10),
  };
}

/** Days without orders, from the first of the month. */
export const emptyDays = [3, 17, 18];

/**
 * A month of orders, many of them around midnight in the clinic's time zone.
 *
 * @param first - its first day, 'yyyy-mm-dd'
 * @param stocked - numbers of the medicines ordered
 */
export function monthOfOrders(first: string, timeZone: string, stocked: readonly string[]): OrderRecord[] {
  const line = fc.record({
    medicineId: fc.constantFrom(...stocked),
    quantity: fc.integer({ min: 1, max: 30 }),
    priceMinor: fc.integer({ min: 0, max: 99_999 }),
  });
  const moment = fc.oneof(fc.constantFrom(0, -1, 1, 3_599_999, 3_600_000), fc.integer({ min: 0, max: 80_000_000 }));
  const plans = fc.record({
    day: fc.nat(30).filter((day) => !emptyDays.includes(day) && !emptyDays.includes(day - 1)),
    moment,
    status: fc.constantFrom(...orderStatuses),
    items: fc.uniqueArray(line, { minLength: 1, maxLength: 3, selector: ({ medicineId }) => medicineId }),
  });
  return fc.sample(plans, { seed: 20_261_121, numRuns: 250 }).map(({ day, moment: after, status, items }, index) =>
    storedOrder({
      orderDate: new Date(clinicInstant({ date: addDays(first, day), time: '00:00' }, timeZone).getTime() + after),
      status,
      items: items.map((item) => storedLine({ ...item, name: `Medicine ${item.medicineId}` })),
      customerEmail: `c${index % 9}@mail.example`,
    }),
  );
}
