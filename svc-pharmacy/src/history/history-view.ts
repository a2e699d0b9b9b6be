import { toMajor, type Role } from '@clinic/contracts';

type Fields = Readonly<Record<string, unknown>>;

/** The changed fields under their wire names. */
export function fieldsOnTheWire({ nameKey: _key, priceMinor, ...fields }: Fields): Record<string, unknown> {
  return typeof priceMinor === 'number' ? { ...fields, pricePerUnit: toMajor(priceMinor) } : fields;
}

/** Roles that see everybody's orders and who acted; customers see that the pharmacy acted, but not who. */
export const staffRoles = ['admin', 'pharmacist'] as const satisfies readonly Role[];

/** How histories are returned. */
export const historyView = { namesShownTo: staffRoles, map: fieldsOnTheWire } as const;
