import { api, formatShortDate, formatStorePrice } from '@clinic/app-kit';
import { toMajor, toMinor } from '@clinic/contracts/money';
import { readMedicine, type Medicine } from '../medicines/medicine.ts';
import type { MedicineForm } from './medicine-form.ts';

/** A medicine as it was when somebody began to edit it. */
export interface StoredVersion {
  readonly medicine: Medicine;
  /** ETag, sent with the change, which is rejected if somebody else was faster. */
  readonly etag: string | undefined;
}

/** The editable fields; stock changes only through orders and deliveries. */
export type Stated = Pick<
  MedicineForm,
  'name' | 'manufacturer' | 'unit' | 'expiryDate' | 'pricePerUnit' | 'maxPerCustomer' | 'category' | 'prescriptionOnly'
>;

const labels: Readonly<Record<keyof Stated, string>> = {
  name: 'Name',
  manufacturer: 'Manufacturer',
  unit: 'Unit',
  expiryDate: 'Expiry',
  pricePerUnit: 'Price',
  maxPerCustomer: 'Most per customer',
  category: 'Category',
  prescriptionOnly: 'Prescription only',
};
const fields = Object.keys(labels) as (keyof Stated)[];

/** @throws ApiProblem */
export async function loadStoredVersion(id: string, signal?: AbortSignal): Promise<StoredVersion> {
  const { record, etag } = await api.tagged('getMedicine', { params: { id }, ...(signal && { signal }) });
  return { medicine: readMedicine(record), etag };
}

export function statedOf({
  name,
  manufacturer,
  unit,
  expiryDate,
  priceMinor,
  maxPerCustomer,
  category = null,
  prescriptionOnly = false,
}: Medicine): Stated {
  return {
    name,
    manufacturer,
    unit: unit as Stated['unit'],
    expiryDate,
    pricePerUnit: toMajor(priceMinor),
    maxPerCustomer,
    category: category as Stated['category'],
    prescriptionOnly,
  };
}

/** Only the fields that the editor changed: the others may be somebody else's change. */
export function changesIn(form: Stated, seen: Stated): Partial<Stated> {
  return Object.fromEntries(fields.filter((field) => form[field] !== seen[field]).map((field) => [field, form[field]]));
}

/** 'Price $2.00 → $2.50', one for each field that differs in a later version. */
export function describeChanges(before: Stated, after: Stated): string[] {
  return fields
    .filter((field) => before[field] !== after[field])
    .map((field) => `${labels[field]} ${written(field, before)} → ${written(field, after)}`);
}

function written(field: keyof Stated, stated: Stated): string {
  if (field === 'pricePerUnit') return formatStorePrice(toMinor(stated.pricePerUnit));
  if (field === 'expiryDate') return formatShortDate(stated.expiryDate);
  if (field === 'maxPerCustomer')
    return stated.maxPerCustomer === null ? 'the usual limit' : stated.maxPerCustomer.toLocaleString('en');
  if (field === 'prescriptionOnly') return stated.prescriptionOnly ? 'yes' : 'no';
  if (field === 'category') return stated.category ?? 'none';
  return `“${stated[field]}”`;
}
