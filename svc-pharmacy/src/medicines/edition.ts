import { createHash } from 'node:crypto';
import { ProblemError } from '@clinic/service-kit';
import type { MedicineDocument } from './medicine.ts';

/**
 * The entity tag of what is stated about a medicine (RFC 9110, section 8.8.3). Its stock is left out: orders change that all
 * the time, an edit never does, and so a sale can't get in the way of a corrected price.
 */
export function editionTag({ name, manufacturer, unit, expiryDate, priceMinor, maxPerCustomer }: MedicineDocument): string {
  const stated = JSON.stringify([name, manufacturer, unit, expiryDate, priceMinor, ...(typeof maxPerCustomer === 'number' ? [maxPerCustomer] : [])]);
  return `"${createHash('sha256').update(stated).digest('base64url').slice(0, 22)}"`;
}

/**
 * Refuses a change by somebody who has seen another edition (RFC 9110, section 13.1.1).
 *
 * @param ifMatch - the `If-Match` header, if there is one
 * @throws ProblemError `changed_meanwhile`
 */
export function refuseOtherEdition(ifMatch: string | undefined, medicine: MedicineDocument): void {
  if (ifMatch === undefined) return;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (tags.includes('*') || tags.includes(editionTag(medicine))) return;
  throw new ProblemError('changed_meanwhile', { detail: `Somebody else has changed ${medicine.name} since you opened it. Nothing was saved; look at the present values first.` });
}
