import { clinicInstant } from '@clinic/contracts';
import {
  isOutboxKind,
  outboxData,
  type OutboxData,
  type OutboxRecipient,
  type TakenEntry,
} from '@clinic/contracts/outbox/entries';
import type { OutboxKind } from '@clinic/contracts/outbox/kinds';
import { newId } from '@clinic/service-kit';
import type { MessageKind } from '../contract/kinds.ts';
import { recipientWords, type MessageRecord } from '../ledger/message-record.ts';
import type { MessagesContext } from '../settings.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Hours after which a message of a kind is no longer useful; other kinds don't expire. */
const usefulHours: Partial<Record<OutboxKind, number>> = {
  'confirm-address': 24,
  'password-reset': 1,
  'address-changed': 72,
  'new-device': 72,
};

export type IntakeRules = Pick<MessagesContext['settings'], 'CLINIC_TZ' | 'REMINDER_HOURS' | 'MAIL_FROM'>;

/** The domain after the `@` of Message-IDs. */
const domainOf = (from: string): string => from.slice(from.lastIndexOf('@') + 1, -1);

/** A new row of the ledger, with the time of its cause. */
export function newMessage(
  fields: Pick<MessageRecord, 'key' | 'kind' | 'to' | 'data' | 'dueAt' | 'lane'> &
    Partial<Pick<MessageRecord, 'expiresAt' | 'visit' | 'status' | 'lastError' | 'endedAt'>>,
  { MAIL_FROM }: Pick<IntakeRules, 'MAIL_FROM'>,
  createdAt: Date,
): MessageRecord {
  const _id = newId();
  return {
    _id,
    status: 'pending',
    attempts: 0,
    nextAttemptAt: fields.dueAt,
    createdAt,
    messageId: `<${_id.toHexString()}@${domainOf(MAIL_FROM)}>`,
    words: recipientWords(fields.to),
    ...fields,
  };
}

/** The key of an entry's own message. */
export const keyOf = (source: string, entry: string): string => `${source}:${entry}`;

/**
 * The messages that an entry causes: its own, and what is due before the visit if it books or moves an appointment.
 *
 * An unknown kind, or data that this release can't read, becomes a failed message, which an admin can resend after an
 * upgrade.
 *
 * @param source - whose outbox it comes from
 */
export function messagesFor(source: string, entry: TakenEntry, rules: IntakeRules, now: Date): MessageRecord[] {
  const { kind, to } = entry;
  const data = isOutboxKind(kind) ? outboxData[kind].safeParse(entry.data).data : undefined;
  const at = new Date(entry.at);
  const base = { key: keyOf(source, entry.id), kind, to, dueAt: at, lane: 0 } as const;
  if (!isOutboxKind(kind) || data === undefined) {
    const raw = (entry.data ?? {}) as MessageRecord['data'];
    const lastError = 'This release can’t write messages of this kind';
    return [newMessage({ ...base, data: raw, status: 'failed', endedAt: now, lastError }, rules, at)];
  }
  const expiresAt = expiryOf(kind, data, base.dueAt, rules);
  const about = 'visit' in data ? data.visit : undefined;
  const own = newMessage(
    {
      ...base,
      dueAt: dueAtOf(kind, data, at),
      data,
      ...(expiresAt && { expiresAt }),
      ...(about && { visit: about.id }),
    },
    rules,
    at,
  );
  if (!about || (kind !== 'appointment-booked' && kind !== 'appointment-moved')) return [own];
  return [...reminders(about, to, at, rules), ...questions(about, to, at, rules), own];
}

/** Milliseconds in which staff may take a change back: its message waits, and isn't sent if the visit is what it was. */
const undoableFor = 60_000;

const undoableKinds: readonly OutboxKind[] = ['appointment-moved', 'appointment-confirmed', 'appointment-cancelled'];

/** When a message is due, or a webhook's event. */
export function dueAtOf(kind: OutboxKind, data: object, at: Date): Date {
  const undoable = undoableKinds.includes(kind) && (data as OutboxData<'appointment-moved'>).own === false;
  return undoable ? new Date(at.getTime() + undoableFor) : at;
}

function expiryOf(kind: OutboxKind, data: object, at: Date, { CLINIC_TZ }: IntakeRules): Date | undefined {
  if ('visit' in data)
    // A cancellation is still worth sending after the visit's time: it tells the patient why nobody was there.
    return new Date(
      startOf((data as OutboxData<'appointment-booked'>).visit, CLINIC_TZ).getTime() +
        (kind === 'appointment-cancelled' ? dayMs : 0),
    );
  if ('offer' in data) return new Date((data as OutboxData<'waitlist-offer'>).offer.until);
  if ('until' in data) return new Date((data as OutboxData<'staff-invitation'>).until);
  const hours = usefulHours[kind];
  return hours === undefined ? undefined : new Date(at.getTime() + hours * hourMs);
}

const startOf = (visit: { readonly date: string; readonly time: string }, zone: string): Date =>
  clinicInstant(visit, zone);

/**
 * The reminders of a visit that were not yet due when it was booked or moved. Their key contains the visit's time, so
 * that a visit that moves away and back has one of each. A reminder expires when the next one is due, the last at the
 * start of the visit.
 */
function reminders(
  visit: OutboxData<'appointment-booked'>['visit'],
  to: OutboxRecipient,
  at: Date,
  rules: IntakeRules,
): MessageRecord[] {
  const start = startOf(visit, rules.CLINIC_TZ).getTime();
  const hours = [...new Set(rules.REMINDER_HOURS)].toSorted((one, other) => other - one);
  const kind: MessageKind = 'appointment-reminder';
  return hours.flatMap((before, index) => {
    const dueAt = new Date(start - before * hourMs);
    if (dueAt <= at) return [];
    const expiresAt = new Date(start - (hours[index + 1] ?? 0) * hourMs);
    const key = `reminder:${visit.id}:${visit.date}T${visit.time}:${before}`;
    return [newMessage({ key, kind, to, data: { visit }, dueAt, lane: 1, expiresAt, visit: visit.id }, rules, at)];
  });
}

/** Hours before a visit at which its questions are asked once more. */
const questionHours = 48;

/** Asks the questions before a visit, if there are any; whoever books later is asked by the page alone. */
function questions(
  visit: OutboxData<'appointment-booked'>['visit'],
  to: OutboxRecipient,
  at: Date,
  rules: IntakeRules,
): MessageRecord[] {
  const start = startOf(visit, rules.CLINIC_TZ);
  const dueAt = new Date(start.getTime() - questionHours * hourMs);
  if (!visit.questions || dueAt <= at) return [];
  const kind: MessageKind = 'appointment-questions';
  const key = `questions:${visit.id}:${visit.date}T${visit.time}`;
  return [newMessage({ key, kind, to, data: { visit }, dueAt, lane: 1, expiresAt: start, visit: visit.id }, rules, at)];
}
