import { quietUntil } from '@clinic/contracts/quiet-hours';
import { canOptOut, messageKinds } from '../contract/kinds.ts';
import { languageOf } from '../contract/languages.ts';
import { preferencesKey } from '../preferences/preferences-record.ts';
import type { MessagesContext } from '../settings.ts';
import type { ClaimedMessage } from './claim.ts';
import { decideAboutVisit, isEarly } from './decide-about-visit.ts';
import { isOutdated, relationOf, subjectOf } from './outdated.ts';
import { hasTimeToSee, type LocalQuietHours } from './quiet-hours.ts';
import { offerIn } from '../offers/offer-calls.ts';
import { addressOf } from './recipient.ts';
import type { SendingFacts } from './sending-facts.ts';
import { askAgainAfter, suppress, type Sending, type Verdict } from './verdict.ts';

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

/**
 * The one rule of quiet hours: security, invitations and what the reader has just done themselves go out at once, and so
 * does what would come too late; the rest waits.
 */
function canWait(message: ClaimedMessage, morning: Date, quiet: LocalQuietHours, rules: Rules): boolean {
  const { kind, data, createdAt, expiresAt } = message;
  if (canWaitForMorning.includes(kind)) return true;
  if (kind === 'waitlist-offer' && expiresAt)
    return hasTimeToSee(morning, { madeAt: createdAt, until: expiresAt }, quiet, rules);
  return waitsUnlessOwn.includes(kind) && data['own'] === false && isEarly(data, morning, rules.CLINIC_TZ);
}

type Rules = Pick<MessagesContext['settings'], 'QUIET_HOURS' | 'CLINIC_TZ'>;

/** Decides whether a message is sent, suppressed or postponed. */
export function decideSending(message: ClaimedMessage, facts: SendingFacts, rules: Rules): Verdict {
  const { kind, to, expiresAt, data } = message;
  if (expiresAt && expiresAt <= facts.now) return suppress('expired');
  const email = addressOf(message, facts.addresses);
  if (email === undefined) return suppress('no-address');
  if (facts.off.has(kind)) return suppress('switched-off');
  const preferences = facts.preferences.get(preferencesKey(to) ?? '');
  if (preferences?.off.includes(kind) && isOptional(kind)) return suppress('opted-out');
  if (facts.bounced.has(email)) return suppress('bounced');
  if (isOutdated(message, facts.related) || facts.overOffers.has(offerIn(message) ?? ''))
    return suppress('out-of-date');

  const zone = preferences?.timeZone ?? rules.CLINIC_TZ;
  const quiet = {
    from: preferences?.quietFrom ?? rules.QUIET_HOURS.from,
    until: preferences?.quietUntil ?? rules.QUIET_HOURS.until,
    timeZone: zone,
  };
  const quietEnd = quietUntil(facts.now, quiet, zone);
  const morning = quietEnd && canWait(message, quietEnd, quiet, rules) ? quietEnd : undefined;
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
  return message.visit === undefined
    ? decideByStatus(message, facts, send)
    : decideAboutVisit(message, facts, send, rules.CLINIC_TZ);
}

/** Decides about a message that could go out now, if it is true only while its order or invitation has a status. */
function decideByStatus(message: ClaimedMessage, { now, orders, invitations }: SendingFacts, send: Sending): Verdict {
  const { about, whileStatusIs } = relationOf(message.kind);
  if (whileStatusIs === undefined) return send;
  const statuses = about === 'invitation' ? invitations : orders;
  if (!statuses) return { act: 'wait', until: new Date(now.getTime() + askAgainAfter) };
  const status = statuses.get(subjectOf(message, about) ?? '') ?? whileStatusIs;
  return status === whileStatusIs ? send : suppress('out-of-date');
}

const isOptional = (kind: string): boolean => messageKinds.some((one) => one === kind && canOptOut(one));
