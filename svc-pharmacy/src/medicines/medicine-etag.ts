import { createHash } from 'node:crypto';
import { ProblemError } from '@clinic/service-kit';
import type { MedicineRecord } from './medicine-record.ts';

/**
 * ETag of a medicine's editable fields (RFC 9110, section 8.8.3). It leaves out the stock: orders change that all the time
 * and edits never do, so a sale doesn't get in the way of a price correction.
 */
export function medicineEtag(medicine: MedicineRecord): string {
  const { name, manufacturer, unit, expiryDate, priceMinor, maxPerCustomer, category, prescriptionOnly } = medicine;
  const stated = JSON.stringify([
    name,
    manufacturer,
    unit,
    expiryDate,
    priceMinor,
    ...(typeof maxPerCustomer === 'number' ? [maxPerCustomer] : []),
    ...(typeof category === 'string' ? [{ category }] : []),
    ...(prescriptionOnly ? [{ prescriptionOnly }] : []),
  ]);
  return `"${createHash('sha256').update(stated).digest('base64url').slice(0, 22)}"`;
}

/**
 * Rejects a change based on an outdated version (RFC 9110, section 13.1.1).
 *
 * @param ifMatch - the `If-Match` header, if there is one
 * @throws ProblemError `changed_meanwhile`
 */
export function rejectOutdatedEtag(ifMatch: string | undefined, medicine: MedicineRecord): void {
  if (ifMatch === undefined) return;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (tags.includes('*') || tags.includes(medicineEtag(medicine))) return;
  throw new ProblemError('changed_meanwhile', {
    detail: `Someone else has changed ${medicine.name} since you opened it. We haven’t saved your changes. Check the current values first.`,
  });
}
