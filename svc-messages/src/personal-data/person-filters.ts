import type { ExportedPerson, ForgottenPerson } from '@clinic/service-kit';
import type { Filter } from 'mongodb';
import type { MessageRecord } from '../ledger/message-record.ts';

/** Whose records: those of the account, and with `byEmail` what is filed under the address without one. */
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

/** The keys of a person's preferences. */
export const preferencesFor = ({ email, id, byEmail }: Whose): string[] => [
  ...(id === undefined ? [] : [id]),
  ...(byEmail ? [`address:${email}`] : []),
];
