// `npm run bench -w @clinic/svc-pharmacy`: measures the reports of orders and stock.
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { addDays, orderStatuses } from '@clinic/contracts';
import type { OrderRecord } from '../src/orders/order-record.ts';
import { keepOrderRollups } from '../src/reports/keep-order-rollups.ts';
import { startPharmacy, stockMedicine, storedLine, storedOrder } from '../src/testing/test-pharmacy.ts';

/** The best of several measurements, because the machine does other work too. */
export interface Measured {
  readonly what: string;
  readonly milliseconds: number;
}

/** Time budget of a report, milliseconds. */
export const reportBudget = 300;

const medicines = 500;
const tries = 5;
const firstDay = '2026-01-01';
const days = 365;

function orderOf(n: number, records: number): OrderRecord {
  const lines = 1 + (n % 3);
  return storedOrder({
    orderDate: new Date(Date.parse(firstDay) + (n / records) * days * 86_400_000),
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
      await stockMedicine(pharmacy, { quantity: n % 40, expiryDate: addDays(firstDay, n) });
    for (let from = 0; from < records; from += 2_000) {
      await pharmacy.collections.orders.insertMany(
        Array.from({ length: Math.min(2_000, records - from) }, (_, index) => orderOf(from + index, records)),
      );
    }
    const begun = performance.now();
    await keepOrderRollups(pharmacy.context);
    const counting = performance.now() - begun;
    const measured: Measured[] = [];
    const calls = [
      ['reportOrders, 30 days', '/orderMedi/report?from=2026-05-12&to=2026-06-10'],
      ['reportOrders, a year', `/orderMedi/report?from=${firstDay}&to=${addDays(firstDay, days - 1)}`],
      // Starting and ending mid-month: the most single days besides whole months.
      ['reportOrders, a year from mid-month', '/orderMedi/report?from=2025-12-30&to=2026-12-30'],
      ['reportStock', '/medicine/report'],
    ] as const;
    for (const [what, path] of calls) {
      const times: number[] = [];
      for (let turn = 0; turn < tries; turn += 1) {
        const start = performance.now();
        const answer = await pharmacy.as('admin')(path);
        await answer.arrayBuffer();
        if (answer.status !== 200) throw new Error(`${what} answered ${answer.status}`);
        times.push(performance.now() - start);
      }
      measured.push({ what, milliseconds: Math.min(...times) });
    }
    return [...measured, { what: 'counting all again, at the start after an update', milliseconds: counting }];
  } finally {
    await pharmacy.close();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const records = Number(process.argv[2] ?? 100_000);
  console.log(`${records} orders, at most ${reportBudget} ms for a report`);
  for (const { what, milliseconds } of await measureReports(records))
    console.log(`${what}: ${milliseconds.toFixed(0)} ms`);
}
