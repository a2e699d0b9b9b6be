import { randomUUID } from 'node:crypto';
import type { Collection, Filter, ObjectId } from 'mongodb';
import { messagesOf, type MessageRecord } from '../ledger/message-record.ts';
import type { MessagesContext } from '../settings.ts';

/** A message that this replica may send until its lease ends. */
export type ClaimedMessage = MessageRecord & { readonly lease: string };

/** What can be claimed for an attempt: messages, and deliveries to webhooks. */
interface Claimable {
  readonly _id: ObjectId;
  readonly status: string;
  readonly nextAttemptAt: Date;
  readonly attempts: number;
  readonly lease?: string;
}

/**
 * Claims due rows for this replica alone until the lease ends; if the replica dies, another one takes them over. Counts
 * the attempt now, so that a row that crashes replicas isn't retried for ever.
 *
 * @param which - the rows to choose from, besides being pending and due
 * @param most - maximum number of rows
 * @param leaseMs - length of the lease, milliseconds
 * @param now - what is due by then
 */
export async function claim<Row extends Claimable>(
  from: Collection<Row>,
  which: Filter<Row>,
  most: number,
  leaseMs: number,
  now = new Date(),
): Promise<(Row & { readonly lease: string })[]> {
  // The driver's types know no filter or update for a row type that is a parameter.
  const rows = from as unknown as Collection<Claimable>;
  const due = { ...(which as Filter<Claimable>), status: 'pending', nextAttemptAt: { $lte: now } };
  const found = await rows
    .find(due, { projection: { _id: 1 } })
    .sort({ nextAttemptAt: 1 })
    .limit(most)
    .toArray();
  if (found.length === 0) return [];
  const lease = randomUUID();
  await rows.updateMany(
    // Repeats the filter, as another replica may have been faster.
    { ...due, _id: { $in: found.map(({ _id }) => _id) } },
    { $set: { lease, nextAttemptAt: new Date(now.getTime() + leaseMs) }, $inc: { attempts: 1 } },
  );
  return (await rows.find({ lease }).toArray()) as unknown as (Row & { readonly lease: string })[];
}

/**
 * Keeps a claimed row for this replica while it works on it, so that others take over from dead replicas, not from slow ones.
 *
 * @returns what ends this when disposed of; `undefined` if another replica has the row already
 */
export async function holdLease<Row extends Claimable>(
  { log }: Pick<MessagesContext, 'log'>,
  from: Collection<Row>,
  { _id, lease }: { readonly _id: ObjectId; readonly lease: string },
  leaseMs: number,
): Promise<Disposable | undefined> {
  const rows = from as unknown as Collection<Claimable>;
  const renew = async (): Promise<boolean> => {
    const nextAttemptAt = new Date(Date.now() + leaseMs);
    const { matchedCount } = await rows.updateOne({ _id, lease, status: 'pending' }, { $set: { nextAttemptAt } });
    return matchedCount > 0;
  };
  if (!(await renew())) return undefined;
  const timer = setInterval(() => {
    renew().catch(({ message: reason }: Error) => log.warn({ reason }, 'lease not renewed, will retry'));
  }, leaseMs / 4);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/**
 * Claims due messages, urgent ones first; see {@link claim}.
 *
 * @param most - maximum number of urgent messages, and of reminders
 */
export async function claimDue(
  context: Pick<MessagesContext, 'db'>,
  most: readonly [number, number],
  leaseMs: number,
): Promise<ClaimedMessage[]> {
  // One moment for both: a reminder that becomes due between them would overtake an urgent message that did so before it.
  const now = new Date();
  const urgent = await claim(messagesOf(context), { lane: 0 }, most[0], leaseMs, now);
  return urgent.length > 0 ? urgent : claim(messagesOf(context), { lane: 1 }, most[1], leaseMs, now);
}

/** When the next pending message is due; `undefined` if there is none. */
export async function nextDue(context: Pick<MessagesContext, 'db'>): Promise<Date | undefined> {
  const times = await Promise.all(
    ([0, 1] as const).map(async (lane) => {
      const [first] = await messagesOf(context)
        .find({ status: 'pending', lane }, { projection: { nextAttemptAt: 1 } })
        .sort({ nextAttemptAt: 1 })
        .limit(1)
        .toArray();
      return first?.nextAttemptAt;
    }),
  );
  return times.filter((time) => time !== undefined).toSorted((one, other) => one.getTime() - other.getTime())[0];
}
