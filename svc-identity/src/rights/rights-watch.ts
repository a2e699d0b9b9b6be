import { followChanges, longestTokenLife, VersionTracker, type FeedUpdate } from '@clinic/service-kit';
import { alignAccounts, feedPosition } from '../account-feed/account-feed.ts';
import { sessionsOf } from '../sessions/session-record.ts';
import type { IdentityContext } from '../settings.ts';
import { usersOf } from '../users/user-record.ts';

const changedField = 'updateDescription.updatedFields';

/** Milliseconds that the database waits for a change before it responds that there is none. */
const awaitChanges = 400;

/** Changed rights, sessions that ended, and changes of the account feed. */
const pipeline = [
  {
    $match: {
      $or: [
        {
          'ns.coll': 'users',
          $or: [
            { operationType: { $in: ['insert', 'replace'] } },
            { [`${changedField}.versionChangedAt`]: { $exists: true } },
          ],
        },
        {
          'ns.coll': 'sessions',
          $or: [{ operationType: 'replace' }, { [`${changedField}.endedAt`]: { $exists: true } }],
        },
        { 'ns.coll': 'accountFeed' },
      ],
    },
  },
  { $project: { operationType: 1 } },
];

/**
 * Each read goes back this far (milliseconds): a change's timestamp precedes the commit of its transaction, and
 * replicas' clocks may differ.
 */
const overlap = 15_000;

/** How long updates are replayed to new connections: slightly longer than tokens live. */
const keptFor = (longestTokenLife + 60) * 1_000;

type Listener = (update: FeedUpdate) => void;

/**
 * Follows changed rights, ended sessions and the account feed in the database by a change stream, so that every replica
 * of this service sends every change, whichever replica made it.
 */
export class RightsWatch {
  /** For this service's own session checks. */
  readonly versions = new VersionTracker();
  readonly #context: IdentityContext;
  readonly #recent = new Map<string, { readonly update: FeedUpdate; readonly at: number }>();
  readonly #listeners = new Set<Listener>();
  readonly #currentListeners = new Set<() => void>();
  readonly #accountListeners = new Set<() => void>();
  #position = 0;
  #since = new Date(Date.now() - keptFor);
  #reading: Promise<void> | undefined;

  constructor(context: IdentityContext) {
    this.#context = context;
  }

  /** Reads once, then follows changes until the service stops. @throws the database's error if the first read fails */
  async start(): Promise<void> {
    await this.#read();
    void followChanges(this.#context, {
      what: 'rights',
      pipeline,
      awaitMs: awaitChanges,
      changed: () => this.#readAgain(),
      unchanged: () => this.#markCurrent(),
    });
  }

  /**
   * Reads as soon as a change made here is committed; if that fails, the update is only delayed.
   *
   * @returns what the change returned
   */
  async readAfter<Result>(change: Promise<Result>): Promise<Result> {
    const result = await change;
    try {
      await this.#readAgain();
    } catch (error) {
      this.#context.log.warn({ reason: (error as Error).message }, 'rights could not be read, will retry');
    }
    return result;
  }

  /** Updates within the last token lifetime. */
  recent(): FeedUpdate[] {
    return [...this.#recent.values()].map(({ update }) => update);
  }

  /** @returns unsubscribes */
  onUpdate(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls back when the account feed has new entries. @returns unsubscribes */
  onAccounts(listener: () => void): () => void {
    this.#accountListeners.add(listener);
    return () => this.#accountListeners.delete(listener);
  }

  /** Calls back each time the database confirms that every update is known. @returns unsubscribes */
  onCurrent(listener: () => void): () => void {
    this.#currentListeners.add(listener);
    return () => this.#currentListeners.delete(listener);
  }

  #markCurrent(): void {
    this.versions.markCurrent();
    for (const listener of this.#currentListeners) listener();
  }

  /** Reads after a read that is in flight, which may have missed the change. */
  async #readAgain(): Promise<void> {
    // The read's own caller gets its error.
    await this.#reading?.catch(() => undefined);
    const reading = this.#read();
    this.#reading = reading;
    try {
      await reading;
    } finally {
      if (this.#reading === reading) this.#reading = undefined;
    }
  }

  async #read(): Promise<void> {
    const began = Date.now();
    const [users, sessions, position] = await Promise.all([
      usersOf(this.#context)
        .find({ versionChangedAt: { $gte: this.#since } }, { projection: { version: 1 } })
        .toArray(),
      sessionsOf(this.#context)
        .find({ endedAt: { $gte: this.#since } }, { projection: { _id: 1 } })
        .toArray(),
      feedPosition(this.#context),
    ]);
    const changed = users.filter(({ _id, version }) => !this.#recent.has(keyOf(_id.toHexString(), version)));
    if (changed.length > 0) await alignAccounts(this.#context, changed);
    for (const { _id, version } of users) this.#take({ sub: _id.toHexString(), ver: version }, began);
    for (const { _id } of sessions) this.#take({ sid: _id.toHexString() }, began);
    this.#takePosition(position);
    this.#markCurrent();
    this.#since = new Date(began - overlap);
    for (const [key, { at }] of this.#recent) if (began - at > keptFor) this.#recent.delete(key);
  }

  #takePosition(position: number): void {
    if (position <= this.#position) return;
    this.#position = position;
    for (const listener of this.#accountListeners) listener();
  }

  #take(update: FeedUpdate, at: number): void {
    const key = 'sid' in update ? update.sid : keyOf(update.sub, update.ver);
    if (this.#recent.has(key)) return;
    this.#recent.set(key, { update, at });
    if ('sid' in update) this.versions.end(update.sid);
    else this.versions.raise(update.sub, update.ver);
    for (const listener of this.#listeners) listener(update);
  }
}

const keyOf = (userId: string, version: number): string => `${userId}:${version}`;
