import { ProblemError } from '@clinic/service-kit';
import type { FormerVisit } from '@clinic/contracts/outbox/entries';
import type { MessageKind } from '../contract/kinds.ts';
import { messagesOf } from '../ledger/message-record.ts';
import { switchedOff } from '../kinds/kind-switches.ts';
import { preferencesKey, preferencesOf, type PreferencesRecord } from '../preferences/preferences-record.ts';
import type { MessagesContext } from '../settings.ts';
import { visitsNow, type VisitNow } from '../visits/visit-calls.ts';
import type { ClaimedMessage } from './claim.ts';
import { followPatients } from './follow-patients.ts';
import { addressOf, readAddresses, type Addresses } from './recipient.ts';
import { undeliverableOf } from './undeliverable.ts';

/** The facts that decide whether messages go out, read for a whole batch. */
export interface SendingFacts {
  readonly now: Date;
  /** Kinds that an admin has switched off. */
  readonly off: ReadonlySet<string>;
  readonly addresses: Addresses;
  readonly preferences: ReadonlyMap<string, PreferencesRecord>;
  /** Addresses that bounced. */
  readonly bounced: ReadonlySet<string>;
  /** Current visits; `undefined`: svc-clinic is unavailable. */
  readonly visits: ReadonlyMap<string, VisitNow> | undefined;
  /** Whom these messages are for now. */
  readonly messages: readonly ClaimedMessage[];
  /** What the patient of each moved visit was last told of it, if they were. */
  readonly told: ReadonlyMap<string, FormerVisit>;
}

/** Whether a message is about a visit that may have changed since. A cancellation is sent also where nobody can be asked. */
export const dependsOnVisit = ({ visit, kind }: Pick<ClaimedMessage, 'visit' | 'kind'>): boolean =>
  visit !== undefined && kind !== 'appointment-cancelled';

export async function readSendingFacts(
  context: MessagesContext,
  claimed: readonly ClaimedMessage[],
): Promise<SendingFacts> {
  const ids = claimed.map(({ visit }) => visit).filter((visit) => visit !== undefined);
  const visits = ids.length > 0 ? await visitsUnlessUnavailable(context, ids) : new Map<string, VisitNow>();
  const messages = await followPatients(context, claimed, visits);
  const keys = messages.map(({ to }) => preferencesKey(to)).filter((key) => key !== undefined);
  const addresses = await readAddresses(context, messages);
  const emails = messages.map((message) => addressOf(message, addresses)).filter((email) => email !== undefined);
  const moved = messages.filter(({ kind }) => kind === 'appointment-moved').map(({ visit }) => visit ?? '');
  const [off, preferences, bounced, told] = await Promise.all([
    switchedOff(context),
    preferencesOf(context)
      .find({ _id: { $in: keys } })
      .toArray(),
    undeliverableOf(context)
      .find({ _id: { $in: emails } }, { projection: { _id: 1 } })
      .toArray(),
    lastTold(context, moved),
  ]);
  return {
    now: new Date(),
    off,
    addresses,
    preferences: new Map(preferences.map((one) => [one._id, one])),
    bounced: new Set(bounced.map(({ _id }) => _id)),
    visits,
    messages,
    told,
  };
}

/** Kinds that tell a patient when a visit is. */
const tellingTimes: readonly MessageKind[] = [
  'appointment-booked',
  'appointment-confirmed',
  'appointment-moved',
  'appointment-reminder',
  'appointment-questions',
];

async function lastTold(
  context: MessagesContext,
  visits: readonly string[],
): Promise<ReadonlyMap<string, FormerVisit>> {
  const told = new Map<string, FormerVisit>();
  if (visits.length === 0) return told;
  const sent = await messagesOf(context)
    .find({ visit: { $in: [...visits] }, kind: { $in: [...tellingTimes] }, status: 'sent' })
    .sort({ sentAt: 1 })
    .toArray();
  for (const { visit, data } of sent) if (visit !== undefined) told.set(visit, data['visit'] as FormerVisit);
  return told;
}

async function visitsUnlessUnavailable(context: MessagesContext, ids: readonly string[]) {
  try {
    return await visitsNow(context, ids);
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'unavailable') return undefined;
    throw error;
  }
}
