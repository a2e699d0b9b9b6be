import { toMajor } from '@clinic/contracts';

type Fields = Readonly<Record<string, unknown>>;

/** The changed fields under their wire names. */
export function fieldsOnTheWire({ nameKey: _key, priceMinor, ...fields }: Fields): Record<string, unknown> {
  return typeof priceMinor === 'number' ? { ...fields, pricePerUnit: toMajor(priceMinor) } : fields;
}
