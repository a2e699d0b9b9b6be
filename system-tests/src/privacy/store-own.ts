import type { Filled } from '@clinic/service-kit/testing';
import type { CalendarFeedRecord } from '../../../svc-clinic/src/calendar-feeds/calendar-feed-record.ts';
import type { UndeliverableRecord } from '../../../svc-messages/src/delivery/undeliverable.ts';
import type { MessageRecord } from '../../../svc-messages/src/ledger/message-record.ts';
import type { MailRecord } from '../../../svc-messages/src/mailbox/mail-record.ts';
import type { PreferencesRecord } from '../../../svc-messages/src/preferences/preferences-record.ts';
import type { ThreeServices } from '../support/three-services.ts';
import { calendarFeed, doctor, offer, pharmacist, waiting } from './filled-records/clinic.ts';
import { mail, message, preferences, undeliverable } from './filled-records/messages.ts';
import { order, stockRequest } from './filled-records/pharmacy.ts';
import { other, type Person } from './filled-records/values.ts';

/** Stores what a patient has, and the profiles of a doctor and a pharmacist. */
export async function storeOwn({ clinic, pharmacy, messages }: ThreeServices['databases'], zeb: Person) {
  const waits = waiting({ patient: zeb, doctor: other });
  const offered = offer({ patient: zeb, doctor: other }, waits._id);
  const [doctorProfile, pharmacistProfile, theirOrder] = [doctor(zeb), pharmacist(zeb), order(zeb)];
  await clinic.collection('waitlist').insertOne({ ...waits });
  await clinic.collection('waitlistOffers').insertOne({ ...offered });
  await clinic.collection('doctors').insertOne({ ...doctorProfile });
  await clinic.collection('pharmacists').insertOne({ ...pharmacistProfile });
  // The services' own records have object ids; this one has the account's.
  await clinic.collection<Filled<CalendarFeedRecord>>('calendarFeeds').insertOne(calendarFeed(zeb));
  await messages.collection<Filled<MessageRecord>>('messages').insertOne(message(zeb));
  await messages.collection<Filled<PreferencesRecord>>('preferences').insertOne(preferences(zeb));
  await messages.collection<Filled<UndeliverableRecord>>('undeliverable').insertOne(undeliverable(zeb));
  await messages.collection<Filled<MailRecord>>('mailbox').insertOne(mail(zeb));
  await pharmacy.collection('orders').insertOne({ ...theirOrder });
  await pharmacy.collection('stockRequests').insertOne({ ...stockRequest(zeb) });
  return { waits, offered, theirOrder, doctorProfile, pharmacistProfile };
}
