import { addDays, type ParsedQuery } from '@clinic/contracts';
import { searchKey } from '@clinic/contracts/search-key';
import { containsKey, countsKey, escapeRegex, noRows } from '@clinic/service-kit';
import type { Filter } from 'mongodb';
import { nearExpiryDays } from '../contract/limits.ts';
import type { MedicineRecord } from './medicine-record.ts';

/** What a list of medicines can be narrowed down to. */
type MedicineSearch = Pick<
  ParsedQuery<'listMedicines'>,
  'q' | 'status' | 'expiry' | 'category' | 'medicineIds' | 'archived'
>;

/**
 * Filter of a list of medicines. A search covers any part of the name, and only the name.
 *
 * @param today - the clinic's date, 'yyyy-mm-dd'
 * @param byName - how the name is found
 */
export function medicineFilter(
  { q, status, expiry, category, medicineIds }: MedicineSearch,
  today: string,
  byName: typeof containsKey = containsKey,
): Filter<MedicineRecord> {
  const key = searchKey(q ?? '');
  // Nothing visible to search for, so nothing matches.
  if (q && key === '') return noRows();
  return {
    ...(status === undefined ? {} : { status }),
    ...(category === undefined ? {} : { category }),
    ...(q ? byName<MedicineRecord>(key, 'nameKey', 'nameParts') : {}),
    ...(expiry === 'soon' ? { expiryDate: { $gte: today, $lte: addDays(today, nearExpiryDays) } } : {}),
    ...(expiry === 'expired' ? { expiryDate: { $lt: today } } : {}),
    ...(medicineIds === undefined ? {} : { medicineId: { $in: [...medicineIds] } }),
  };
}

/**
 * Filter that counts a list of medicines from an index alone. Those of statuses and categories have the names; without these the
 * names' parts are read.
 */
export function medicineCount(search: MedicineSearch, today: string): Filter<MedicineRecord> {
  const { status, category, expiry, medicineIds } = search;
  const hasNames = (status === undefined) !== (category === undefined) && !expiry && !medicineIds;
  return medicineFilter(search, today, hasNames ? byText : countsKey);
}

function byText<Row>(key: string, text: keyof Row & string): Filter<Row> {
  return { [text]: { $regex: escapeRegex(key) } } as Filter<Row>;
}

/**
 * What a list shows, and how it is counted. Without `archived` it leaves out archived medicines, which are few, so that the
 * indexes of whole lists serve it.
 */
export function shownMedicines({ archived, ...search }: MedicineSearch, today: string) {
  const found = medicineFilter(search, today);
  const kept: Filter<MedicineRecord> = { ...found, archived: true };
  if (archived) return { filter: kept, countBy: kept };
  return {
    filter: { ...found, archived: { $ne: true as const } } as Filter<MedicineRecord>,
    countBy: { all: medicineCount(search, today), but: kept },
  };
}

/** Sort orders of a list of medicines. */
export const medicineSorts = {
  name: { nameKey: 1, _id: 1 },
  expiry: { expiryDate: 1, _id: 1 },
  stock: { quantity: 1, _id: 1 },
} as const;
