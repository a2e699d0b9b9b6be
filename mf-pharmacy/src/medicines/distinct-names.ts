import { formatShortDate, formatStorePrice } from '@clinic/app-kit';
import type { Medicine } from './medicine.ts';

type Named = Pick<Medicine, 'medicineId' | 'name' | 'manufacturer' | 'category' | 'unit' | 'priceMinor' | 'expiryDate'>;

/** What a card shows beside the name, in its order. */
const details: readonly ((medicine: Named) => string)[] = [
  ({ manufacturer }) => manufacturer,
  ({ category }) => category ?? '',
  ({ expiryDate }) => `expires ${formatShortDate(expiryDate)}`,
  ({ priceMinor, unit }) => `${formatStorePrice(priceMinor)} per ${unit}`,
];

/**
 * Names by which buttons of different medicines can be told apart when they are only heard. Of those with the same name, each is
 * followed by what differs; if nothing on screen does, by its number.
 *
 * @returns by the pharmacy's number
 */
export function distinctNames(medicines: readonly Named[]): ReadonlyMap<string, string> {
  return new Map(medicines.map((medicine) => [medicine.medicineId, distinctName(medicine, medicines)]));
}

function distinctName(medicine: Named, medicines: readonly Named[]): string {
  const others = medicines.filter(
    ({ medicineId, name }) => name === medicine.name && medicineId !== medicine.medicineId,
  );
  const differs = (detail: (typeof details)[number], other: Named) => detail(other) !== detail(medicine);
  const telling = details.filter((detail) => others.some((other) => differs(detail, other)));
  const said = telling.map((detail) => detail(medicine)).filter((text) => text !== '');
  const isTold = others.every((other) => telling.some((detail) => differs(detail, other)));
  return [medicine.name, ...said, ...(isTold ? [] : [medicine.medicineId])].join(', ');
}
