import type { ExportedPerson, ForgottenPerson } from '@clinic/service-kit';
import type { Filter } from 'mongodb';
import type { MessageRecord } from '../ledger/message-record.ts';
import type { PreferencesRecord } from '../preferences/preferences-record.ts';

/** A person's records: the account's, and with `byEmail` those under the address that have no account. */
export type Whose = Pick<ExportedPerson, 'email' | 'id' | 'byEmail'>;

export const whoseToForget = ({ email, userId, emailConfirmed }: ForgottenPerson): Whose => ({
  email,
  id: userId,
  byEmail: emailConfirmed,
});

/** Filters for the messages to a person, each with its index. Without an account, all to the address are theirs. */
export function messagesTo({ email, id, byEmail }: Whose): Filter<MessageRecord>[] {
  if (id === undefined) return [{ 'to.email': email }];
  return [{ 'to.account': id }, ...(byEmail ? [{ 'to.email': email, 'to.account': { $exists: false } }] : [])];
}

/** Filter for a person's preferences. Without an account, all of the address are theirs. */
export function preferencesFor({ email, id, byEmail }: Whose): Filter<PreferencesRecord> {
  if (id === undefined) return { $or: [{ email }, { _id: `address:${email}` }] };
  return { _id: { $in: [id, ...(byEmail ? [`address:${email}`] : [])] } };
}
