import { clinicInstant, type ClinicMoment } from '@clinic/contracts/clinic-time';
import type { FormerVisit } from '@clinic/contracts/outbox/entries';
import { canOptOut, messageKinds, type SuppressionReason } from '../contract/kinds.ts';
import { languageOf, type MessageLanguage } from '../contract/languages.ts';
import { preferencesKey } from '../preferences/preferences-record.ts';
import type { MessagesContext } from '../settings.ts';
import type { ClaimedMessage } from './claim.ts';
import { dependsOnVisit, type SendingFacts } from './sending-facts.ts';
import { quietUntil } from './quiet-hours.ts';
import { addressOf } from './recipient.ts';

/** What to do with a message now. */
export type Verdict =
  | {
      readonly act: 'send';
      /** The address it goes to. */
      readonly email: string;
      readonly data: ClaimedMessage['data'];
      readonly language: MessageLanguage;
      readonly timeZone?: string;
    }
  | { readonly act: 'suppress'; readonly reason: SuppressionReason }
  | { readonly act: 'wait'; readonly until: Date };

/** Milliseconds before a service that is unavailable is asked again. */
export const askAgainAfter = 5_000;

/** Kinds that don't respond to something the person has just done, so that they can wait until morning. */
const canWaitForMorning: readonly string[] = [
  'appointment-reminder',
  'appointment-questions',
  'appointment-confirmed',
  'order-shipped',
  'order-cancelled',
  'back-in-stock',
];

/** Kinds that wait if the clinic has booked, moved or cancelled the visit, and not its patient. */
const waitsUnlessOwn: readonly string[] = ['appointment-booked', 'appointment-moved', 'appointment-cancelled'];

/** Milliseconds before a visit at which its patient must know of a change, even at night. */
const noticeBefore = 4 * 3_600_000;

/**
 * The one rule of quiet hours: security, invitations and what the reader has just done themselves go out at once, and so
 * does what would come too late; the rest waits.
 */
function canWait({ kind, data }: ClaimedMessage, morning: Date, { CLINIC_TZ }: Rules): boolean {
  if (canWaitForMorning.includes(kind)) return true;
  return waitsUnlessOwn.includes(kind) && data['own'] === false && isEarly(data, morning, CLINIC_TZ);
}

/** Whether a patient who is told of a change at this instant knows early enough; of a move, before whichever time is earlier. */
function isEarly({ visit, was }: ClaimedMessage['data'], at: Date, zone: string): boolean {
  const times = [visit, was].filter((one) => one !== undefined) as ClinicMoment[];
  return times.every((time) => clinicInstant(time, zone).getTime() - noticeBefore > at.getTime());
}

type Rules = Pick<MessagesContext['settings'], 'QUIET_HOURS' | 'CLINIC_TZ'>;

/**
 * Decides whether a message is sent, suppressed or postponed. One about a visit is sent only while its time is still
 * right, and with the visit's current details.
 */
export function decideSending(message: ClaimedMessage, facts: SendingFacts, rules: Rules): Verdict {
  const { kind, to, expiresAt, data } = message;
  if (expiresAt && expiresAt <= facts.now) return suppress('expired');
  const email = addressOf(message, facts.addresses);
  if (email === undefined) return suppress('no-address');
  if (facts.off.has(kind)) return suppress('switched-off');
  const preferences = facts.preferences.get(preferencesKey(to) ?? '');
  if (preferences?.off.includes(kind) && isOptional(kind)) return suppress('opted-out');
  if (facts.bounced.has(email)) return suppress('bounced');

  const zone = preferences?.timeZone ?? rules.CLINIC_TZ;
  const quiet = {
    from: preferences?.quietFrom ?? rules.QUIET_HOURS.from,
    until: preferences?.quietUntil ?? rules.QUIET_HOURS.until,
  };
  const quietEnd = quietUntil(facts.now, quiet, zone);
  const morning = quietEnd && canWait(message, quietEnd, rules) ? quietEnd : undefined;
  // Better at night than not at all.
  if (morning && (!expiresAt || morning < expiresAt)) return { act: 'wait', until: morning };
  const language = languageOf(preferences?.language);
  const send = {
    act: 'send',
    email,
    data,
    language,
    ...(preferences?.timeZone !== undefined && { timeZone: zone }),
  } as const;
  const askAgain = { act: 'wait', until: new Date(facts.now.getTime() + askAgainAfter) } as const;
  const visit = facts.visits?.get(message.visit ?? '');
  if (!dependsOnVisit(message)) {
    // Staff have taken the cancellation back.
    if (kind === 'appointment-cancelled' && visit && visit.status !== 'Cancelled') return suppress('out-of-date');
    // Whose visit it was is asked as well. Nobody should come in vain because the answer takes too long.
    return message.visit !== undefined && !facts.visits && isEarly(data, facts.now, rules.CLINIC_TZ) ? askAgain : send;
  }
  if (!facts.visits) return askAgain;
  const stated = data['visit'] as { readonly date: string; readonly time: string };
  if (!visit || visit.status === 'Cancelled' || visit.date !== stated.date || visit.time !== stated.time)
    return suppress('out-of-date');
  // Answered meanwhile, or the clinic has stopped asking.
  if (kind === 'appointment-questions' && !visit.questions) return suppress('out-of-date');
  if (kind === 'appointment-confirmed' && visit.status !== 'Confirmed') return suppress('out-of-date');
  const { patient: _patient, changeUntil: _changeUntil, ...current } = visit;
  const told = kind === 'appointment-moved' ? facts.told.get(visit.id) : undefined;
  if (!told) return { ...send, data: { ...data, visit: current } };
  const was = knownBefore(told, data['was'] as FormerVisit);
  // Moved away and back before anybody was told.
  if (isSame(was, visit)) return suppress('out-of-date');
  return { ...send, data: { ...data, visit: current, was } };
}

/** What the patient knew. Ledgers of earlier releases say neither length nor place: then the entry's count, if it is about that visit. */
function knownBefore(told: FormerVisit, was: FormerVisit): FormerVisit {
  // A visit without a place is told without one.
  if (told.minutes !== undefined) return { place: '', ...told };
  const isThat = was.date === told.date && was.time === told.time && (was.doctor ?? told.doctor) === told.doctor;
  return { ...(isThat && was), ...told };
}

/** Whether a visit is all that it was: also a move to another doctor, length or place at the same time is news. */
function isSame(was: FormerVisit, { doctor, date, time, minutes, place = '' }: FormerVisit): boolean {
  return (
    was.date === date &&
    was.time === time &&
    (was.doctor ?? doctor) === doctor &&
    (was.minutes === undefined || (was.minutes === minutes && (was.place ?? '') === place))
  );
}

const suppress = (reason: SuppressionReason): Verdict => ({ act: 'suppress', reason });

const isOptional = (kind: string): boolean => messageKinds.some((one) => one === kind && canOptOut(one));
