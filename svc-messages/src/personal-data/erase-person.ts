import { forgetInHistory, type Erased, type ForgottenPerson } from '@clinic/service-kit';
import { undeliverableOf } from '../delivery/undeliverable.ts';
import { messagesOf } from '../ledger/message-record.ts';
import { preferencesOf } from '../preferences/preferences-record.ts';
import type { MessagesContext } from '../settings.ts';
import { messagesTo, preferencesFor, whoseToForget } from './person-filters.ts';

/**
 * Erases a person from this service: deletes their messages, sent or not, and their preferences. Safe to repeat after
 * any interruption.
 *
 * @param until - `performance.now()` after which to start nothing new
 */
export async function erasePerson(context: MessagesContext, person: ForgottenPerson, until: number): Promise<Erased> {
  const whose = whoseToForget(person);
  let records = 0;
  for (const filter of messagesTo(whose)) records += (await messagesOf(context).deleteMany(filter)).deletedCount;
  const preferences = await preferencesOf(context).deleteMany(preferencesFor(whose));
  records += preferences.deletedCount;
  if (person.emailConfirmed) records += (await undeliverableOf(context).deleteMany({ _id: person.email })).deletedCount;
  // Events name the messages that an admin resent and the kinds they switched.
  const { events, done } = await forgetInHistory(context, person, { until, redact: (fields) => fields });
  return { done, records, cancelled: 0, events };
}
