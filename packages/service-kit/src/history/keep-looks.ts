import { erasedEmail } from '@clinic/contracts/erased-person';
import type { Db, Filter } from 'mongodb';
import type { ExportedThing } from '../privacy/export-person.ts';
import { dateWithin, provenAddresses, type AccountHolder, type Person } from '../privacy/person.ts';
import { partOf } from './actors.ts';
import { looksOf, type LookRecord } from './look-record.ts';

/** Filters for the views of a person's records; those under an address are from before an account was known here. */
const looksAt = (person: Person): Filter<LookRecord>[] => [
  ...(person.id === undefined ? [] : [{ whose: person.id }]),
  ...provenAddresses(person).map((address) => ({ whose: address.email, ...dateWithin('at', address) })),
];

/** The staff roles that viewed a person's records, without names, for the export of that person's data. */
export async function* exportedLooks(context: { readonly db: Db }, person: Person): AsyncGenerator<ExportedThing> {
  const filters = looksAt(person);
  if (filters.length === 0) return;
  for await (const { at, by, what, how } of looksOf(context).find({ $or: filters }).sort({ at: -1, _id: -1 })) {
    yield { kind: 'look', data: { at: at.toISOString(), by: partOf(by).role, what, how } };
  }
}

/** Deletes the view records of a deleted person, and anonymises the views they made of others' records as staff. */
export async function forgetLooks(context: { readonly db: Db }, person: AccountHolder): Promise<void> {
  const looks = looksOf(context);
  for (const filter of looksAt(person)) await looks.deleteMany(filter);
  await looks.updateMany({ 'by.id': person.id }, { $set: { 'by.email': erasedEmail(person.id) } });
}
