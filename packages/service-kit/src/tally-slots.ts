import { randomInt } from 'node:crypto';
import type { ClientSession } from 'mongodb';

/** From so many places a process chooses where its slots begin, so that replicas seldom share one. */
const places = 16;

const place = randomInt(places);
const taken = new Set<number>();
const slots = new WeakMap<ClientSession, number>();

/**
 * A part of a tally's key that no other transaction of this process has meanwhile: all that happens today would write one
 * document, and transactions that meet on one document are repeated after a wait. A tally comes to have about as many parts
 * as there are changes at the same time, usually one for each replica, and reports add them up. Differences may go to any
 * part, also for what another part counted.
 *
 * @param session - of the transaction; the slot is free again when it ends
 */
export function tallySlot(session: ClientSession): string {
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
