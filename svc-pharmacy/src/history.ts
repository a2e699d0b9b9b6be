import { toMajor } from '@clinic/contracts';

type Fields = Readonly<Record<string, unknown>>;

/** The changed fields under the names that the record itself has on the wire. */
export function fieldsOnTheWire({ nameKey: _key, priceMinor, ...fields }: Fields): Record<string, unknown> {
  return typeof priceMinor === 'number' ? { ...fields, pricePerUnit: toMajor(priceMinor) } : fields;
}
