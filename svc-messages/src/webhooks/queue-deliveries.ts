import { isOutboxKind, outboxData, type TakenEntry } from '@clinic/contracts/outbox/entries';
import { ObjectId } from 'mongodb';
import { webhookKinds } from '../contract/webhook-kinds.ts';
import { dueAtOf } from '../intake/new-messages.ts';
import { storedAlready } from '../intake/stored-already.ts';
import type { MessagesContext } from '../settings.ts';
import { deliveriesOf, webhooksOf, type DeliveryRecord, type StatedVisit } from './webhook-record.ts';

/**
 * Queues entries of a source's outbox for the webhooks that subscribe to them, before the source deletes them. For a paused
 * webhook they wait until it is resumed, as long as deliveries are kept. Safe to repeat, even by several replicas at once: an event is queued once per webhook.
 *
 * @param source - name of the service they come from
 */
export async function queueDeliveries(
  context: Pick<MessagesContext, 'db'>,
  source: string,
  entries: readonly TakenEntry[],
): Promise<void> {
  const published = entries.filter(({ kind }) => webhookKinds.some((one) => one === kind));
  if (published.length === 0) return;
  const webhooks = await webhooksOf(context).find().toArray();
  const now = new Date();
  const rows = webhooks.flatMap(({ _id: webhook, kinds }) =>
    published
      .filter(({ kind }) => kinds.length === 0 || kinds.includes(kind))
      .map((entry): DeliveryRecord => ({
        _id: new ObjectId(),
        webhook,
        event: `${source}_${entry.id}`,
        type: entry.kind,
        body: bodyOf(entry),
        status: 'pending',
        attempts: 0,
        nextAttemptAt: now,
        createdAt: now,
        ...held(entry),
      })),
  );
  if (rows.length === 0) return;
  try {
    await deliveriesOf(context).insertMany(rows, { ordered: false });
  } catch (error) {
    if (!storedAlready(error)) throw error;
  }
}

/** Until when an event waits, and what it says, if staff may take that back. An undone move is an event of its own. */
function held({ kind, at, data }: TakenEntry): Partial<Pick<DeliveryRecord, 'nextAttemptAt' | 'visit'>> {
  if (kind !== 'appointment-confirmed' && kind !== 'appointment-cancelled') return {};
  const known = outboxData[kind].safeParse(data).data;
  const nextAttemptAt = known && dueAtOf(kind, known, new Date(at));
  if (!nextAttemptAt || nextAttemptAt <= new Date(at)) return {};
  const { id, status, date, time, sequence } = known.visit;
  return { nextAttemptAt, visit: { id, status, date, time, sequence } };
}

/** Whether staff have taken back what an event says. @param visit - as it is now */
export function isTakenBack({ status, date, time, sequence }: StatedVisit, visit: StatedVisit): boolean {
  if (status === 'Cancelled') return visit.status !== 'Cancelled' || visit.sequence > sequence;
  // A visit that its patient has moved is unconfirmed again, too.
  return visit.status === 'Pending' && visit.date === date && visit.time === time;
}

/** Type, ids and times only: receivers read everything else through the clinic's calls, with their own rights. */
function bodyOf({ kind, at, data }: TakenEntry): string {
  return JSON.stringify({ type: kind, timestamp: at, data: idsAndTimes(kind, data) });
}

function idsAndTimes(kind: string, data: unknown): Readonly<Record<string, unknown>> {
  const known = isOutboxKind(kind) ? outboxData[kind].safeParse(data).data : undefined;
  if (known === undefined) return {};
  if ('visit' in known) {
    const { id, date, time } = known.visit;
    return { appointment: id, date, time, ...('was' in known && { was: known.was }) };
  }
  if ('offer' in known) {
    const { id, date, time, until } = known.offer;
    return { offer: id, date, time, until };
  }
  if ('order' in known) return { order: known.order.id };
  if ('medicine' in known) return { medicine: known.medicine.id };
  return {};
}
