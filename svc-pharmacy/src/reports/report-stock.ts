import { stockReportNames } from '../contract/limits.ts';
import type { StockReport } from '../contract/reports.ts';
import type { ClientSession, Document, Filter, Sort } from 'mongodb';
import { medicineSorts, shownMedicines } from '../medicines/list-medicines.ts';
import type { MedicineRecord } from '../medicines/medicine-record.ts';
import type { PharmacyCollections } from '../collections.ts';

/** One list of the stock report: its filter and sort order. Each has an index. */
interface StockQuestion extends ReturnType<typeof shownMedicines> {
  readonly sort: Sort;
}

/**
 * The lists of the stock report, with the same filters as the inventory.
 *
 * @param today - the clinic's date, 'yyyy-mm-dd'
 */
export function stockQuestions(today: string) {
  return {
    lowStock: { ...shownMedicines({ status: 'low stock' }, today), sort: medicineSorts.stock },
    outOfStock: { ...shownMedicines({ status: 'out of stock' }, today), sort: medicineSorts.name },
    nearExpiry: { ...shownMedicines({ expiry: 'soon' }, today), sort: medicineSorts.expiry },
    expired: { ...shownMedicines({ expiry: 'expired' }, today), sort: medicineSorts.expiry },
  } as const satisfies Record<string, StockQuestion>;
}

/** Pipeline that counts what a filter finds, from the index alone. */
export function counted(filter: Filter<MedicineRecord>): Document[] {
  return [{ $match: filter }, { $count: 'count' }];
}

/** What needs attention in the inventory, in one snapshot. */
export async function stockReport(
  { medicines }: PharmacyCollections,
  today: string,
  timeZone: string,
  session: ClientSession,
): Promise<StockReport> {
  const count = async (filter: Filter<MedicineRecord>): Promise<number> => {
    const [row] = await medicines.aggregate<{ readonly count: number }>(counted(filter), { session }).toArray();
    return row?.count ?? 0;
  };
  const shown = async ({ countBy }: ReturnType<typeof shownMedicines>): Promise<number> =>
    'but' in countBy ? (await count(countBy.all)) - (await count(countBy.but)) : count(countBy);
  const list = async (question: StockQuestion) => {
    const { filter, sort } = question;
    const first = await medicines.find(filter, { session }).sort(sort).limit(stockReportNames).toArray();
    return { count: await shown(question), first: first.map(toStockLine) };
  };
  const questions = stockQuestions(today);
  const inStock = await shown(shownMedicines({ status: 'in stock' }, today));
  const lowStock = await list(questions.lowStock);
  const outOfStock = await list(questions.outOfStock);
  return {
    today,
    timeZone,
    medicines: inStock + lowStock.count + outOfStock.count,
    lowStock,
    outOfStock,
    nearExpiry: await list(questions.nearExpiry),
    expired: await list(questions.expired),
  };
}

function toStockLine(medicine: MedicineRecord): StockReport['lowStock']['first'][number] {
  const { _id, medicineId, name, quantity, unit, expiryDate, status } = medicine;
  return { _id: _id.toHexString(), medicineId, name, quantity, unit, expiryDate, status };
}
