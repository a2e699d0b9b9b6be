import { setTimeout as delay } from 'node:timers/promises';
import { longestTokenLife, VersionTracker, type FeedNews } from '@clinic/service-kit';
import { sessionsOf } from '../sessions/session-record.ts';
import type { IdentityContext } from '../settings.ts';
import { usersOf } from '../users/user-record.ts';

/** Milliseconds between two looks at the database. */
const lookEvery = 300;

/**
 * Each look goes back this far (milliseconds): a change is stamped before its transaction is visible, by a replica whose
 * clock may differ.
 */
const overlap = 15_000;

/** News stay this long for those who connect later: as long as tokens live, and a bit. */
const keptFor = (longestTokenLife + 60) * 1_000;

type Listener = (news: FeedNews) => void;

/**
 * Watches for changed rights and ended sessions in the database, so that every replica of this service tells every
 * change, whichever of them made it. (The embedded engine has no change streams.)
 */
export class RightsWatch {
  /** What this service itself checks sessions against. */
  readonly versions = new VersionTracker();
  readonly #context: IdentityContext;
  readonly #recent = new Map<string, { readonly news: FeedNews; readonly at: number }>();
  readonly #listeners = new Set<Listener>();
  #since = new Date(Date.now() - keptFor);
  #looking: Promise<void> | undefined;
  #failing = false;

  constructor(context: IdentityContext) {
    this.#context = context;
  }

  /** Looks once, then again and again until the service stops. @throws the database's error when the first look fails */
  async start(): Promise<void> {
    await this.#look();
    void this.#keepLooking();
  }

  /** Looks at once, after a change of our own; the change itself is done, so a failure here only means later. */
  async lookNow(): Promise<void> {
    await this.#looking;
    await this.#tryToLook();
  }

  /** What changed within the last token lifetime. */
  recent(): FeedNews[] {
    return [...this.#recent.values()].map(({ news }) => news);
  }

  /** @returns ends the listening */
  onNews(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #keepLooking(): Promise<void> {
    const { stopping } = this.#context;
    while (!stopping.aborted) {
      await this.#tryToLook();
      // Not unreferenced: the loop is what keeps the feed alive, and it ends with the service.
      await delay(lookEvery, undefined, { signal: stopping }).catch(() => undefined);
    }
  }

  async #tryToLook(): Promise<void> {
    try {
      this.#looking = this.#look();
      await this.#looking;
      if (this.#failing) this.#context.log.info('changed rights can be read again');
      this.#failing = false;
    } catch (error) {
      if (!this.#failing && !this.#context.stopping.aborted) this.#context.log.warn({ reason: (error as Error).message }, 'changed rights can not be read');
      this.#failing = true;
    } finally {
      this.#looking = undefined;
    }
  }

  async #look(): Promise<void> {
    const began = Date.now();
    const [users, sessions] = await Promise.all([
      usersOf(this.#context).find({ versionChangedAt: { $gte: this.#since } }, { projection: { version: 1 } }).toArray(),
      sessionsOf(this.#context).find({ endedAt: { $gte: this.#since } }, { projection: { _id: 1 } }).toArray(),
    ]);
    for (const { _id, version } of users) this.#take({ sub: _id.toHexString(), ver: version }, began);
    for (const { _id } of sessions) this.#take({ sid: _id.toHexString() }, began);
    this.versions.heard();
    this.#since = new Date(began - overlap);
    for (const [key, { at }] of this.#recent) if (began - at > keptFor) this.#recent.delete(key);
  }

  #take(news: FeedNews, at: number): void {
    const key = 'sid' in news ? news.sid : `${news.sub}:${news.ver}`;
    if (this.#recent.has(key)) return;
    this.#recent.set(key, { news, at });
    if ('sid' in news) this.versions.end(news.sid);
    else this.versions.raise(news.sub, news.ver);
    for (const listener of this.#listeners) listener(news);
  }
}
