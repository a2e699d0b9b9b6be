import { randomInt } from 'node:crypto';
import type { ClientSession } from 'mongodb';

/** Number of starting points for a process's shards, so that replicas rarely share one. */
const places = 16;

const place = randomInt(places);
const taken = new Set<number>();
/** By transaction, because each place that counts has only that. */
const slots = new WeakMap<ClientSession, number>();

/**
 * A shard of a rollup's key that no other transaction of this process is using. Otherwise all of today's changes would
 * write one document, and transactions that conflict are retried after a back-off. A rollup ends up with about as many
 * shards as there are concurrent changes, usually one per replica, and reports add them up. An increment may go to any
 * shard, even if another shard counted the original change.
 *
 * @param session - of the transaction; the shard is free again when it ends
 */
export function rollupShard(session: ClientSession): string {
  let slot = slots.get(session);
  if (slot === undefined) {
    slot = 0;
    while (taken.has(slot)) slot += 1;
    const own = slot;
    taken.add(own);
    slots.set(session, own);
    session.once('ended', () => taken.delete(own));
  }
  return `${place}.${slot}`;
}
