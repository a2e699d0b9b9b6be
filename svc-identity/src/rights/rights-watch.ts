import { setTimeout as delay } from 'node:timers/promises';
import { longestTokenLife, VersionTracker, type FeedUpdate } from '@clinic/service-kit';
import { sessionsOf } from '../sessions/session-record.ts';
import type { IdentityContext } from '../settings.ts';
import { usersOf } from '../users/user-record.ts';

/** Milliseconds between two polls of the database. */
const pollEvery = 300;

/**
 * Each poll goes back this far (milliseconds): a change's timestamp precedes the commit of its transaction, and replicas'
 * clocks may differ.
 */
const overlap = 15_000;

/** How long updates are replayed to new connections: slightly longer than tokens live. */
const keptFor = (longestTokenLife + 60) * 1_000;

type Listener = (update: FeedUpdate) => void;

/**
 * Polls the database for changed rights and ended sessions, so that every replica of this service sends every change,
 * whichever replica made it. (The embedded engine has no change streams.)
 */
export class RightsWatch {
  /** For this service's own session checks. */
  readonly versions = new VersionTracker();
  readonly #context: IdentityContext;
  readonly #recent = new Map<string, { readonly update: FeedUpdate; readonly at: number }>();
  readonly #listeners = new Set<Listener>();
  #since = new Date(Date.now() - keptFor);
  #polling: Promise<void> | undefined;
  #failing = false;

  constructor(context: IdentityContext) {
    this.#context = context;
  }

  /** Polls once, then repeatedly until the service stops. @throws the database's error if the first poll fails */
  async start(): Promise<void> {
    await this.#poll();
    void this.#keepPolling();
  }

  /** Polls immediately after a change made here; the change is already committed, so a failure only delays the update. */
  async pollNow(): Promise<void> {
    await this.#polling;
    await this.#tryToPoll();
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

  async #keepPolling(): Promise<void> {
    const { stopping } = this.#context;
    while (!stopping.aborted) {
      await this.#tryToPoll();
      // Not unref'd: the loop keeps the feed alive, and ends with the service.
      await delay(pollEvery, undefined, { signal: stopping }).catch(() => undefined);
    }
  }

  async #tryToPoll(): Promise<void> {
    try {
      this.#polling = this.#poll();
      await this.#polling;
      if (this.#failing) this.#context.log.info('rights polling is back');
      this.#failing = false;
    } catch (error) {
      if (!this.#failing && !this.#context.stopping.aborted)
        this.#context.log.warn({ reason: (error as Error).message }, 'rights polling failed, will retry');
      this.#failing = true;
    } finally {
      this.#polling = undefined;
    }
  }

  async #poll(): Promise<void> {
    const began = Date.now();
    const [users, sessions] = await Promise.all([
      usersOf(this.#context)
        .find({ versionChangedAt: { $gte: this.#since } }, { projection: { version: 1 } })
        .toArray(),
      sessionsOf(this.#context)
        .find({ endedAt: { $gte: this.#since } }, { projection: { _id: 1 } })
        .toArray(),
    ]);
    for (const { _id, version } of users) this.#take({ sub: _id.toHexString(), ver: version }, began);
    for (const { _id } of sessions) this.#take({ sid: _id.toHexString() }, began);
    this.versions.markCurrent();
    this.#since = new Date(began - overlap);
    for (const [key, { at }] of this.#recent) if (began - at > keptFor) this.#recent.delete(key);
  }

  #take(update: FeedUpdate, at: number): void {
    const key = 'sid' in update ? update.sid : `${update.sub}:${update.ver}`;
    if (this.#recent.has(key)) return;
    this.#recent.set(key, { update, at });
    if ('sid' in update) this.versions.end(update.sid);
    else this.versions.raise(update.sub, update.ver);
    for (const listener of this.#listeners) listener(update);
  }
}
