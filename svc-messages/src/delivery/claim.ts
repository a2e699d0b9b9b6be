import { randomUUID } from 'node:crypto';
import { messagesOf, type MessageRecord } from '../ledger/message-record.ts';
import type { MessagesContext } from '../settings.ts';

/** A message that this replica may send until its lease ends. */
export type ClaimedMessage = MessageRecord & { readonly lease: string };

/**
 * Claims due messages, urgent ones first, for this replica alone until the lease ends; if the replica dies, another one
 * takes them over. Counts the attempt now, so that a message that crashes replicas isn't retried for ever.
 *
 * @param most - maximum number of urgent messages, and of reminders
 * @param leaseMs - length of the lease, milliseconds
 */
export async function claimDue(
  context: Pick<MessagesContext, 'db'>,
  most: readonly [number, number],
  leaseMs: number,
): Promise<ClaimedMessage[]> {
  const messages = messagesOf(context);
  for (const lane of [0, 1] as const) {
    const now = new Date();
    const due = { status: 'pending', lane, nextAttemptAt: { $lte: now } } as const;
    const found = await messages
      .find(due, { projection: { _id: 1 } })
      .sort({ nextAttemptAt: 1 })
      .limit(most[lane])
      .toArray();
    if (found.length === 0) continue;
    const lease = randomUUID();
    await messages.updateMany(
      // Repeats the filter, as another replica may have been faster.
      { ...due, _id: { $in: found.map(({ _id }) => _id) } },
      { $set: { lease, nextAttemptAt: new Date(now.getTime() + leaseMs) }, $inc: { attempts: 1 } },
    );
    return (await messages.find({ lease }).toArray()) as ClaimedMessage[];
  }
  return [];
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
