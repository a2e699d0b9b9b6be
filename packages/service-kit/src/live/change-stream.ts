import { setTimeout as delay } from 'node:timers/promises';
import { hasRole, roles, type CallId, type Role } from '@clinic/contracts';
import type { ServiceContext } from '../context.ts';
import { unavailable } from '../http/error-mapping.ts';
import type { HistoryEvent } from '../history/events.ts';
import { EventStream } from './event-stream.ts';
import { followChanges } from './follow-changes.ts';
import { ProblemError } from '../http/problem-error.ts';
import type { SessionCaller } from '../auth/session-claims.ts';

/** Milliseconds that the database waits for a change; a watch that nobody needs any more ends within that time. */
const awaitChanges = 5_000;

/** Milliseconds between two reads of the history, so that a burst of changes causes few. */
const atMostEvery = 100;

/**
 * Each read goes back this far (milliseconds): an event's timestamp precedes the commit of its transaction, and replicas'
 * clocks may differ.
 */
const overlap = 15_000;

/**
 * Open streams per process, limited per kind of caller so that many strangers' accounts can't crowd out staff; a client
 * that gets none polls every few seconds instead. Unconfirmed addresses cost an attacker nothing: they are limited to half
 * of the patients' places.
 */
const places = { staff: 100, patients: 100, unconfirmed: 50 } as const;

/** Streams per person across devices: more pages than anybody has open, and few enough to leave room for others. */
const mostOfOne = 10;

type ChangeContext = Pick<ServiceContext, 'db' | 'log' | 'stopping'>;

/** Which lists a change affects. */
export interface ChangeStreamPlan {
  /** By type of the changed record: the calls whose response may now differ. */
  readonly lists: Readonly<Record<string, readonly CallId[]>>;
  /** Roles that see everybody's records; others are notified only of changes that concern them. */
  readonly seeAll: readonly Role[];
}

interface RecentChange {
  readonly at: number;
  readonly type: string;
  /** Accounts it concerns. */
  readonly accounts: readonly string[];
}

/**
 * Handler of a call that notifies clients which of their lists changed, whoever changed them and through whichever replica,
 * from the history, where all changes meet. It sends no data, only which lists to fetch again; fetching is authorised as
 * usual. While somebody listens, one change stream of the database serves all listeners.
 */
export function changeStream(
  context: ChangeContext,
  { lists, seeAll }: ChangeStreamPlan,
): (request: { readonly caller: SessionCaller }) => Promise<EventStream> {
  const watch = new ChangeWatch(context);
  return async ({ caller }) => {
    if (watch.listenersOf(caller.id) >= mostOfOne) {
      throw new ProblemError('rate_limited', {
        detail: `You have ${mostOfOne} pages with live updates, the most allowed. Other pages check for changes every few seconds.`,
        retryAfter: 5,
      });
    }
    const staff = hasRole(caller, staffRoles);
    const room = staff ? places.staff : caller.confirmed ? places.patients : places.unconfirmed;
    if (watch.listeners(staff) >= room)
      throw unavailable('Live updates are busy right now. This page checks for changes every few seconds instead.');
    return new EventStream((send) => {
      const all = hasRole(caller, seeAll);
      return watch.listen({ person: caller.id, staff }, (changes) => {
        const touched = changes
          .filter(({ accounts }) => all || accounts.includes(caller.id))
          .flatMap(({ type }) => lists[type] ?? []);
        if (touched.length > 0) send('change', { lists: [...new Set(touched)] });
      });
    }, context.stopping);
  };
}

const staffRoles = roles.filter((role) => role !== 'patient');

type Listener = (changes: readonly RecentChange[]) => void;

/** Whose limit a listener counts towards. */
interface Place {
  readonly person: string;
  readonly staff: boolean;
}

class ChangeWatch {
  readonly #context: ChangeContext;
  readonly #listeners = new Map<Listener, Place>();
  readonly #perPerson = new Map<string, number>();
  readonly #recent = new Map<string, RecentChange>();
  #following = false;

  constructor(context: ChangeContext) {
    this.#context = context;
  }

  /** Number of listeners, of staff or of all others. */
  listeners(staff: boolean): number {
    return [...this.#listeners.values()].filter((place) => place.staff === staff).length;
  }

  listenersOf(person: string): number {
    return this.#perPerson.get(person) ?? 0;
  }

  /** Also reports changes of the last seconds, as a list may have been read just before. @returns unsubscribes */
  listen(place: Place, listener: Listener): () => void {
    const { person } = place;
    this.#listeners.set(listener, place);
    this.#perPerson.set(person, this.listenersOf(person) + 1);
    listener([...this.#recent.values()]);
    void this.#follow();
    return () => {
      if (!this.#listeners.delete(listener)) return;
      const left = this.listenersOf(person) - 1;
      if (left > 0) this.#perPerson.set(person, left);
      else this.#perPerson.delete(person);
    };
  }

  async #follow(): Promise<void> {
    if (this.#following) return;
    this.#following = true;
    try {
      await followChanges(this.#context, {
        what: 'lists',
        pipeline: [{ $match: { operationType: 'insert', 'ns.coll': 'events' } }, { $project: { operationType: 1 } }],
        awaitMs: awaitChanges,
        isWanted: () => this.#listeners.size > 0,
        changed: async () => {
          await this.#read();
          // Only shutdown interrupts the wait.
          await delay(atMostEvery, undefined, { signal: this.#context.stopping }).catch(() => undefined);
        },
      });
    } finally {
      this.#following = false;
    }
    // Somebody may have come while the stream was being closed.
    if (this.#listeners.size > 0 && !this.#context.stopping.aborted) void this.#follow();
  }

  async #read(): Promise<void> {
    const since = Date.now() - overlap;
    for (const [id, { at }] of this.#recent) if (at < since) this.#recent.delete(id);
    const found = await this.#context.db
      .collection<HistoryEvent>('events')
      .find({ at: { $gte: new Date(since) } }, { projection: { at: 1, 'record.type': 1, accounts: 1 } })
      .toArray();
    const fresh = found
      .map(
        ({ _id, at, record, accounts = [] }) =>
          [_id.toHexString(), { at: at.getTime(), type: record.type, accounts }] as const,
      )
      .filter(([id]) => !this.#recent.has(id));
    for (const [id, change] of fresh) this.#recent.set(id, change);
    const changes = fresh.map(([, change]) => change);
    if (changes.length > 0) for (const listener of this.#listeners.keys()) listener(changes);
  }
}
