import { toMinor, type ParsedBody } from '@clinic/contracts';
import { searchKey } from '@clinic/contracts/search-key';
import { ProblemError, rejected } from '@clinic/service-kit';
import type { ObjectId } from 'mongodb';
import { notifyBackInStock } from '../back-in-stock/notify-back-in-stock.ts';
import { maxQuantity } from '../contract/limits.ts';
import type { PharmacyChange } from '../pharmacy-change.ts';
import { rejectOutdatedEtag } from './medicine-etag.ts';
import { nameFields, type MedicineRecord } from './medicine-record.ts';
import { archiveMedicine } from './archive-medicine.ts';
import { addStock } from './stock.ts';

/** What a pharmacist may change; omitted fields stay. */
type MedicineChanges = ParsedBody<'updateMedicine'>;

/**
 * Restocks, edits, archives or brings back a medicine; each adds its own entry to the medicine's history.
 *
 * @param ifMatch - ETags that the sender has seen, as in the `If-Match` header
 * @throws ProblemError `not_found`; `changed_meanwhile`; `validation_failed` if the stock would exceed the maximum
 */
export async function updateMedicine(
  change: PharmacyChange,
  id: ObjectId,
  { restock, archived, ...edits }: MedicineChanges,
  ifMatch?: string,
): Promise<MedicineRecord> {
  const medicine = await change.collections.medicines.findOne({ _id: id }, { session: change.session });
  if (!medicine) throw new ProblemError('not_found', { detail: 'We can’t find this medicine.' });
  rejectOutdatedEtag(ifMatch, medicine);
  const restocked = restock === undefined ? medicine : await restockMedicine(change, medicine, restock);
  const edited = await editMedicine(change, restocked, edits);
  return archived === undefined ? edited : archiveMedicine(change, edited, archived);
}

async function restockMedicine(
  change: PharmacyChange,
  { medicineId, name }: MedicineRecord,
  units: number,
): Promise<MedicineRecord> {
  const restocked = await addStock(change, medicineId, units, { reason: 'restocked' });
  if (restocked) return restocked;
  throw rejected('restock', `Stock can be at most ${maxQuantity}`, { detail: `${name} wasn’t restocked.` });
}

async function editMedicine(
  change: PharmacyChange,
  medicine: MedicineRecord,
  edits: Omit<MedicineChanges, 'restock' | 'archived'>,
): Promise<MedicineRecord> {
  const { name, manufacturer, unit, expiryDate, pricePerUnit, maxPerCustomer, category, prescriptionOnly } = edits;
  const stated = {
    name,
    nameKey: name === undefined ? undefined : searchKey(name),
    manufacturer,
    unit,
    expiryDate,
    priceMinor: pricePerUnit === undefined ? undefined : toMinor(pricePerUnit),
    maxPerCustomer,
    category,
    prescriptionOnly,
  };
  const known = (field: string) =>
    medicine[field as keyof typeof stated] ?? (field === 'prescriptionOnly' ? false : null);
  const changed = Object.entries(stated).filter(([field, value]) => value !== undefined && value !== known(field));
  if (changed.length === 0) return medicine;
  const after: Partial<MedicineRecord> = Object.fromEntries(changed);
  const fields = { ...after, ...(name !== undefined && nameFields({ name })) };
  await change.collections.medicines.updateOne({ _id: medicine._id }, { $set: fields }, { session: change.session });
  const before = Object.fromEntries(changed.map(([field]) => [field, known(field)]));
  await change.record({
    record: { type: 'medicine', id: medicine._id.toHexString() },
    action: 'edited',
    before,
    after,
  });
  const edited = { ...medicine, ...fields };
  await notifyBackInStock(change, medicine, edited);
  return edited;
}
