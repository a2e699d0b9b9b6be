import { erasedEmail } from '@clinic/contracts/erased-person';
import type { Db } from 'mongodb';
import type { ExportedThing } from '../privacy/export-person.ts';
import { provenAddresses, type AccountHolder, type Person } from '../privacy/person.ts';
import { partOf } from './actors.ts';
import { lookFilter, looksOf } from './look-record.ts';

/** The staff roles that viewed a person's records, without names, for the export of that person's data. */
export async function* exportedLooks(context: { readonly db: Db }, person: Person): AsyncGenerator<ExportedThing> {
  const addresses = provenAddresses(person);
  if (person.id === undefined && addresses.length === 0) return;
  const looks = looksOf(context).find(lookFilter(person.id, addresses)).sort({ at: -1, _id: -1 });
  for await (const { at, by, what, how } of looks) {
    yield { kind: 'look', data: { at: at.toISOString(), by: partOf(by).role, what, how } };
  }
}

/** Deletes the view records of a deleted person, and anonymises the views they made of others' records as staff. */
export async function forgetLooks(context: { readonly db: Db }, person: AccountHolder): Promise<void> {
  const looks = looksOf(context);
  await looks.deleteMany(lookFilter(person.id, provenAddresses(person)));
  await looks.updateMany({ 'by.id': person.id }, { $set: { 'by.email': erasedEmail(person.id) } });
}
