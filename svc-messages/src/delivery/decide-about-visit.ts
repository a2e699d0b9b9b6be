import { clinicInstant, type ClinicMoment } from '@clinic/contracts/clinic-time';
import type { FormerVisit, VisitInMessage } from '@clinic/contracts/outbox/entries';
import type { MessageKind } from '../contract/kinds.ts';
import type { VisitNow } from '../visits/visit-calls.ts';
import type { ClaimedMessage } from './claim.ts';
import { isLater, type Related } from './outdated.ts';
import type { SendingFacts } from './sending-facts.ts';
import { askAgainAfter, suppress, type Sending, type Verdict } from './verdict.ts';

/** Kinds that tell a patient when a visit is. */
const tellingTimes: readonly MessageKind[] = [
  'appointment-booked',
  'appointment-confirmed',
  'appointment-moved',
  'appointment-reminder',
  'appointment-questions',
];

/** Milliseconds before a visit at which its patient must know of a change, even at night. */
const noticeBefore = 4 * 3_600_000;

/** Whether a patient who is told of a change at this instant knows early enough; of a move, before whichever time is earlier. */
export function isEarly({ visit, was }: ClaimedMessage['data'], at: Date, zone: string): boolean {
  const times = [visit, was].filter((one) => one !== undefined) as ClinicMoment[];
  return times.every((time) => clinicInstant(time, zone).getTime() - noticeBefore > at.getTime());
}

const visitIn = ({ data }: Pick<Related, 'data'>) => data['visit'] as VisitInMessage;

/** Whether a visit is cancelled as a message says; not after staff have taken that back, even if they cancelled it again. */
export const isStillCancelled = (visit: VisitNow, message: Pick<Related, 'data'>): boolean =>
  visit.status === 'Cancelled' && visit.sequence <= visitIn(message).sequence;

/**
 * Decides about a message that could go out now: only while it is right and still news, and with the visit's current
 * details.
 *
 * @param send - what to do if it is
 */
export function decideAboutVisit(message: ClaimedMessage, facts: SendingFacts, send: Sending, zone: string): Verdict {
  const { kind, data, visit: id } = message;
  const { now, visits } = facts;
  const askAgain = { act: 'wait', until: new Date(now.getTime() + askAgainAfter) } as const;
  const others = facts.related.filter(({ visit, key }) => visit === id && key !== message.key);
  // What that tells the patient decides what is news.
  if (others.some((other) => isClaimedBefore(other, message, now))) return askAgain;
  const outOfDate = suppress('out-of-date');
  const told = others
    .filter((other) => other.status === 'sent' && tellingTimes.some((one) => one === other.kind))
    .toSorted((one, other) => (one.sentAt?.getTime() ?? 0) - (other.sentAt?.getTime() ?? 0));

  const visit = visits?.get(id ?? '');
  if (kind === 'appointment-cancelled') {
    // Whose visit it was is asked as well. Nobody should come in vain because the answer takes too long.
    if (!visits && isEarly(data, now, zone)) return askAgain;
    if (visit && !isStillCancelled(visit, message)) return outOfDate;
    const [known] = told.slice(-1).map(visitIn);
    return known ? { ...send, data: { ...data, was: known } } : send;
  }
  if (!visits) return askAgain;
  if (!visit) return outOfDate;
  const isConfirmation = kind === 'appointment-confirmed';
  // Until its own message is due, staff may take back what has happened since. And a time is told before its status.
  const first = others.find(
    (other) =>
      other.status === 'pending' &&
      other.lane === 0 &&
      ((other.dueAt > now && isLater(other, message)) || (isConfirmation && other.kind === 'appointment-moved')),
  );
  if (first) return first.nextAttemptAt > now ? { act: 'wait', until: first.nextAttemptAt } : askAgain;
  const [last] = told.slice(-1);
  const isAsStated = isAt(visit, visitIn(message)) || (isConfirmation && last && isAt(visit, visitIn(last)));
  if (!isAsStated || visit.status === 'Cancelled' || (isConfirmation && visit.status !== 'Confirmed')) return outOfDate;
  // Answered meanwhile, or the clinic has stopped asking.
  if (kind === 'appointment-questions' && !visit.questions) return outOfDate;
  // Confirmed again, before an earlier message said so.
  const { createdAt } = message;
  if (isConfirmation && others.some(({ kind: one, sentAt }) => one === kind && sentAt && sentAt > createdAt))
    return outOfDate;
  if (kind === 'appointment-booked' && told.length > 0) return outOfDate;
  const { patient: _patient, changeUntil: _changeUntil, ...current } = visit;
  if (kind !== 'appointment-moved' || !last) return { ...send, data: { ...data, visit: current } };
  // Another kind may have told the new time without a word about the old one.
  const announced = told.findLast((other) => other.kind === kind) ?? told[0] ?? last;
  const was = [last, announced]
    .map((one) => knownBefore(visitIn(one), data['was'] as FormerVisit))
    .find((known) => !isSame(known, visit));
  // Moved away and back before anybody was told.
  return was ? { ...send, data: { ...data, visit: current, was } } : outOfDate;
}

const isAt = (visit: ClinicMoment, { date, time }: ClinicMoment): boolean => visit.date === date && visit.time === time;

/** Whether another replica is sending a message about the same visit, and claimed it first. */
function isClaimedBefore({ status, lease, nextAttemptAt, key }: Related, message: ClaimedMessage, now: Date): boolean {
  if (status !== 'pending' || lease === undefined || lease === message.lease || nextAttemptAt <= now) return false;
  const by = nextAttemptAt.getTime() - message.nextAttemptAt.getTime();
  return by < 0 || (by === 0 && key < message.key);
}

/** What the patient knew. Ledgers of earlier releases say neither length nor place: then the entry's count, if it is about that visit. */
function knownBefore({ doctor, date, time, minutes, place }: FormerVisit, was: FormerVisit): FormerVisit {
  const told = { ...(doctor !== undefined && { doctor }), date, time };
  // A visit without a place is told without one.
  if (minutes !== undefined) return { ...told, minutes, place: place ?? '' };
  const isThat = isAt(was, { date, time }) && (was.doctor ?? doctor) === doctor;
  return { ...(isThat && was), ...told };
}

/** Whether a visit is all that it was: also a move to another doctor, length or place at the same time is news. */
function isSame(was: FormerVisit, { doctor, date, time, minutes, place = '' }: FormerVisit): boolean {
  return (
    isAt(was, { date, time }) &&
    (was.doctor ?? doctor) === doctor &&
    (was.minutes === undefined || (was.minutes === minutes && (was.place ?? '') === place))
  );
}
