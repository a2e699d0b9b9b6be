import { setTimeout as delay } from 'node:timers/promises';
import { isAllowed, type Allowed, type CallId, type Role } from '@clinic/contracts';
import type { Request } from 'express';
import type { WithId } from 'mongodb';
import { staff } from '../auth/access-control.ts';
import type { ServiceContext } from '../context.ts';
import { unavailable } from '../http/error-mapping.ts';
import type { HistoryEvent } from '../history/events.ts';
import { EventStream } from './event-stream.ts';
import { ChangeFollower, insertsInto } from './follow-changes.ts';
import { ProblemError } from '../http/problem-error.ts';
import type { SessionCaller } from '../auth/session-claims.ts';

/** Milliseconds that the database waits for a change; a watch that is no longer needed ends within that time. */
const awaitChanges = 5_000;

/** Milliseconds between two reads of the history, so that a burst of changes causes few. */
const atMostEvery = 100;

/**
 * Each read goes back this far (milliseconds): an event's timestamp precedes the commit of its transaction, and
 * replicas' clocks may differ.
 */
const overlap = 15_000;

/** Milliseconds for which changes are kept for clients that reconnect. Later, clients load everything again. */
const keptFor = 300_000;

/** Own requests named in one message. */
const mostNamed = 50;

/** Number of changes kept; after more, clients that reconnect load everything again. */
const mostKept = 5_000;

/**
 * Open streams per process, limited per kind of caller so that many strangers' accounts can't crowd out staff; a client
 * that gets none polls every few seconds instead. Each visible browser with a session has one. Unconfirmed addresses
 * cost an attacker nothing, so they are limited to half of the patients' number.
 */
const places = { staff: 200, patients: 600, unconfirmed: 300 } as const;

/** Streams per person across devices: more browsers than anybody has open, and few enough to leave room for others. */
const mostOfOne = 10;

type ChangeContext = Pick<ServiceContext, 'db' | 'log' | 'stopping'>;

/** A change as the history has it. */
export interface RecordedChange {
  readonly type: string;
  /** Id of the changed record. */
  readonly id: string;
  readonly action: string;
  /** Accounts it concerns. */
  readonly accounts: readonly string[];
}

/** A change, and the request that made it. */
interface MadeChange extends RecordedChange {
  /** Account of who made it; absent if the system did. */
  readonly actor?: string;
  readonly requestId: string;
}

/** Which lists a change affects. */
export type ChangeStreamPlan =
  | {
      /** By type of the changed record: the calls whose response may now differ. */
      readonly lists: Readonly<Record<string, readonly CallId[]>>;
      /** Roles that see everybody's records; others are notified only of changes that concern them. */
      readonly seeAll: readonly Role[] | Allowed;
    }
  | {
      /** All calls whose response may differ for the caller. */
      readonly all: (caller: SessionCaller) => readonly CallId[];
      /** Those whose response may differ after this change. */
      readonly touchedBy: (change: RecordedChange, caller: SessionCaller) => readonly CallId[];
    };

/**
 * Handler of a call that notifies clients which of their lists changed, whoever changed them and through whichever
 * replica, based on the history, where all changes meet. It sends no data, only the lists to fetch again; fetching is
 * authorised as usual. While anyone listens, one change stream of the database serves all listeners.
 *
 * A client that reconnects with the id of its last message (`Last-Event-ID`), to this or another replica, gets what has
 * changed since, or, after too long, a message that everything may have changed.
 */
export function changeStream(
  context: ChangeContext,
  plan: ChangeStreamPlan,
): (request: { readonly caller: SessionCaller; readonly req?: Request }) => Promise<EventStream> {
  const watch = new ChangeWatch(context);
  const { all, touchedBy } = 'lists' in plan ? planOf(plan) : plan;
  return async ({ caller, req }) => {
    if (watch.listenersOf(caller.id) >= mostOfOne) {
      throw new ProblemError('rate_limited', {
        detail: `You have ${mostOfOne} pages with live updates, the most allowed. Other pages check for changes every few seconds.`,
        retryAfter: 5,
      });
    }
    const isStaff = isAllowed(caller, staff);
    const room = isStaff ? places.staff : caller.confirmed ? places.patients : places.unconfirmed;
    if (watch.listeners(isStaff) >= room)
      throw unavailable('Live updates are busy right now. This page checks for changes every few seconds instead.');
    const from = positionOf(req?.get('last-event-id'));
    return new EventStream(
      (send) => {
        const receive: Receive = (changes) => {
          const touched = new Set<CallId>();
          const by = new Set<string | undefined>();
          if (changes === 'unknown') for (const list of all(caller)) touched.add(list);
          else
            for (const change of changes)
              for (const list of touchedBy(change, caller)) {
                touched.add(list);
                // Nobody learns others' request ids.
                by.add(change.actor === caller.id ? change.requestId : undefined);
              }
          if (touched.size === 0) return;
          const isOwn = by.size > 0 && by.size <= mostNamed && !by.has(undefined);
          send('change', { lists: [...touched], ...(isOwn && { by: [...by] }) });
        };
        return watch.listen({ person: caller.id, staff: isStaff, since: from - overlap, receive });
      },
      context.stopping,
      () => String(Math.max(from, watch.position)),
    );
  };
}

function planOf({ lists, seeAll }: Extract<ChangeStreamPlan, { readonly lists: unknown }>) {
  const everybody: Allowed = 'roles' in seeAll ? seeAll : { roles: seeAll };
  return {
    all: () => Object.values(lists).flat(),
    touchedBy: ({ type, accounts }: RecordedChange, caller: SessionCaller) =>
      isAllowed(caller, everybody) || accounts.includes(caller.id) ? (lists[type] ?? []) : [],
  };
}

/**
 * The time up to which a client knows everything, milliseconds since 1970. It may have missed what happened within
 * `overlap` before; the lists of a new client were read just before.
 *
 * @param lastId - of a client that reconnects
 */
function positionOf(lastId: string | undefined): number {
  const now = Date.now();
  if (lastId === undefined) return now;
  // A future position, or an invalid one: everything may have changed.
  const position = /^\d{1,15}$/.test(lastId) ? Number(lastId) : 0;
  return position > now + overlap ? 0 : position;
}

/** Gets the changes since the last call; `unknown` if any list may have changed. */
type Receive = (changes: readonly MadeChange[] | 'unknown') => void;

interface Listener {
  /** The person whose limit it counts towards. */
  readonly person: string;
  readonly staff: boolean;
  /** Changes before this are of no interest, milliseconds since 1970. */
  readonly since: number;
  readonly receive: Receive;
}

interface KeptChange extends MadeChange {
  readonly at: number;
}

class ChangeWatch {
  readonly #context: ChangeContext;
  readonly #listeners = new Set<Listener>();
  readonly #perPerson = new Map<string, number>();
  readonly #recent = new Map<string, KeptChange>();
  /** Since then no change has been dropped from `#recent` early. */
  #keptSince = 0;
  /** When the last read began: whatever was committed before is known. */
  #readAt = 0;
  /** Until then there were no further changes, as the database reports every few seconds. */
  #quietUntil = 0;
  readonly #follower: ChangeFollower;

  constructor(context: ChangeContext) {
    this.#context = context;
    this.#follower = new ChangeFollower(context, {
      what: 'lists',
      pipeline: insertsInto('events'),
      awaitMs: awaitChanges,
      isNeeded: () => this.#listeners.size > 0,
      unchanged: () => {
        this.#quietUntil = Date.now() - awaitChanges;
      },
      changed: async () => {
        await this.#read();
        // Only shutdown interrupts the wait.
        await delay(atMostEvery, undefined, { signal: context.stopping }).catch(() => undefined);
      },
    });
  }

  /** The time up to which all changes are known and reported. */
  get position(): number {
    return Math.max(this.#readAt, this.#quietUntil);
  }

  /** Number of listeners, of staff or of all others. */
  listeners(staff: boolean): number {
    return [...this.#listeners].filter((listener) => listener.staff === staff).length;
  }

  listenersOf(person: string): number {
    return this.#perPerson.get(person) ?? 0;
  }

  /** Reports the changes since the listener's time, then each new one. @returns unsubscribes */
  listen(listener: Listener): () => void {
    const { person } = listener;
    this.#listeners.add(listener);
    this.#perPerson.set(person, this.listenersOf(person) + 1);
    if (listener.since < Math.max(Date.now() - keptFor, this.#keptSince)) listener.receive('unknown');
    // If nothing has been read yet, the first read reports them.
    else this.#report(listener, [...this.#recent.values()]);
    this.#follower.follow();
    return () => {
      if (!this.#listeners.delete(listener)) return;
      const left = this.listenersOf(person) - 1;
      if (left > 0) this.#perPerson.set(person, left);
      else this.#perPerson.delete(person);
    };
  }

  #report({ since, receive }: Listener, changes: readonly KeptChange[]): void {
    const newer = changes.filter(({ at }) => at >= since);
    if (newer.length > 0) receive(newer);
  }

  async #read(): Promise<void> {
    const began = Date.now();
    const oldest = began - keptFor - overlap;
    for (const [id, { at }] of this.#recent) if (at < oldest) this.#recent.delete(id);
    const since = Math.max(this.#readAt - overlap, oldest);
    const found = await this.#context.db
      .collection<HistoryEvent>('events')
      .find(
        { at: { $gte: new Date(since) } },
        { projection: { at: 1, record: 1, action: 1, accounts: 1, actor: 1, requestId: 1 } },
      )
      .sort({ at: -1 })
      .limit(mostKept)
      .toArray();
    this.#readAt = began;
    if (found.length === mostKept || this.#recent.size + found.length > 2 * mostKept) {
      // Too many to keep: listeners, and clients that reconnect, load everything.
      this.#recent.clear();
      this.#keptSince = began;
      for (const listener of this.#listeners) listener.receive('unknown');
      return;
    }
    const fresh = found.map(toChange).filter(([id]) => !this.#recent.has(id));
    for (const [id, change] of fresh) this.#recent.set(id, change);
    const changes = fresh.map(([, change]) => change);
    if (changes.length > 0) for (const listener of this.#listeners) this.#report(listener, changes);
  }
}

function toChange(event: WithId<HistoryEvent>): readonly [string, KeptChange] {
  const { _id, at, record, action, accounts = [], actor, requestId } = event;
  const made = { requestId, ...(actor && { actor: actor.id }) };
  return [_id.toHexString(), { at: at.getTime(), type: record.type, id: record.id, action, accounts, ...made }];
}
