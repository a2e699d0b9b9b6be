import { internal } from '@clinic/service-kit';

export const forSearch = internal('derived from other fields, for searching and sorting');
export const account = internal('the account’s id; the account is in the copy of svc-identity');

/** The same rule for several fields, to spread into a table of rules; a field that no row names doesn't compile. */
export const each = <const Rule, Field extends string>(rule: Rule, ...fields: readonly Field[]) =>
  Object.fromEntries(fields.map((field) => [field, rule])) as Record<Field, Rule>;

/** Fields that the copy has under the names they are stored with. */
export const underTheirNames = <Field extends string>(...fields: readonly Field[]) =>
  Object.fromEntries(fields.map((field) => [field, field])) as { readonly [Name in Field]: Name };
