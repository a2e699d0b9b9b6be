import { api } from '@clinic/app-kit';
import type { CallQuery } from '@clinic/contracts';
import { readMedicine } from '../medicines/medicine.ts';

/** The inventory, as filtered. */
export async function exportMedicines(query: CallQuery<'listMedicines'>) {
  const [records, { writeCsv }] = await Promise.all([api.call('listMedicines', { query }), import('./write-csv.ts')]);
  return { text: writeCsv(records.map(readMedicine)), rows: records.length };
}

/** The orders, as filtered. @param timeZone - the clinic's, IANA name */
export async function exportOrders(query: CallQuery<'listOrders'>, timeZone: string) {
  const [orders, { writeOrders }] = await Promise.all([api.call('listOrders', { query }), import('./write-csv.ts')]);
  return { text: writeOrders(orders, timeZone), rows: orders.length };
}
