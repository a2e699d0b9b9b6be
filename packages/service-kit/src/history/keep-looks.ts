import { erasedEmail } from '@clinic/contracts/erased-person';
import type { Db } from 'mongodb';
import { accountsOfEmails } from '../auth/contacts.ts';
import type { ForgottenPerson } from '../privacy/forgotten-person.ts';
import type { ExportedPerson, ExportedThing } from '../privacy/export-person.ts';
import { looksOf } from './look-record.ts';

/** The staff roles that viewed a person's records, without names, for the export of that person's data. */
export async function* exportedLooks(
  context: { readonly db: Db },
  { email, id, byEmail }: ExportedPerson,
): AsyncGenerator<ExportedThing> {
  const account = id ?? (await accountsOfEmails(context, [email])).get(email);
  const whose = [...(account === undefined ? [] : [account]), ...(byEmail ? [email] : [])];
  for await (const { at, by, what, how } of looksOf(context)
    .find({ whose: { $in: whose } })
    .sort({ at: -1, _id: -1 })) {
    yield { kind: 'look', data: { at: at.toISOString(), by: by.role, what, how } };
  }
}

/** Deletes the view records of a deleted person, and anonymises the views they made of others' records as staff. */
export async function forgetLooks(
  context: { readonly db: Db },
  { email, userId, emailConfirmed }: ForgottenPerson,
): Promise<void> {
  const looks = looksOf(context);
  await looks.deleteMany({ whose: { $in: [userId, ...(emailConfirmed ? [email] : [])] } });
  await looks.updateMany({ 'by.id': userId }, { $set: { 'by.email': erasedEmail(userId) } });
}
