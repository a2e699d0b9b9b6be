// `npm run bench -- reports`: measures the reports of orders and stock.
import { addDays } from '@clinic/contracts';
import { measure, store, year, type Measured } from '../../bench/src/support/report-measurements.ts';
import { orderStatuses } from '../src/contract/transitions.ts';
import type { OrderRecord } from '../src/orders/order-record.ts';
import { keepOrderRollups } from '../src/reports/keep-order-rollups.ts';
import { startPharmacy, storedLine, storedOrder } from '../src/testing/test-pharmacy.ts';

const medicines = 500;

function orderOf(n: number, records: number): OrderRecord {
  const lines = 1 + (n % 3);
  return storedOrder({
    orderDate: new Date(Date.parse(year.firstDay) + (n / records) * year.days * 86_400_000),
    status: orderStatuses[n % orderStatuses.length] ?? 'pending',
    items: Array.from({ length: lines }, (_, line) => {
      const medicine = (n * 7 + line * 131) % medicines;
      return storedLine({ medicineId: `MED-${medicine}`, name: `Medicine ${medicine}`, quantity: 1 + (n % 4) });
    }),
    customerEmail: `customer${n % 5_000}@mail.example`,
  });
}

/**
 * Measures over real HTTP on the embedded database.
 *
 * @param records - orders of one to three of 500 medicines, spread over a year
 */
export async function measureReports(records: number): Promise<Measured[]> {
  const pharmacy = await startPharmacy({ LOG_LEVEL: 'warn' });
  try {
    for (let n = 0; n < medicines; n += 1)
      await pharmacy.stockMedicine({ quantity: n % 40, expiryDate: addDays(year.firstDay, n) });
    await store(pharmacy.collections.orders, records, (n) => orderOf(n, records));
    return await measure(() => keepOrderRollups(pharmacy.context), pharmacy.as('admin'), [
      ['reportOrders, 30 days', '/orderMedi/report?from=2026-05-12&to=2026-06-10'],
      ['reportOrders, a year', `/orderMedi/report?from=${year.firstDay}&to=${year.lastDay}`],
      // Starting and ending mid-month: the most single days besides whole months.
      ['reportOrders, a year from mid-month', '/orderMedi/report?from=2025-12-30&to=2026-12-30'],
      ['reportStock', '/medicine/report'],
    ]);
  } finally {
    await pharmacy.close();
  }
}
