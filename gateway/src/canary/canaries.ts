import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { ServerResponse } from 'node:http';
import type { Vital } from '@clinic/static-server/release-figures';
import type { Logger } from 'pino';
import type { GatewayRequest } from '../server/gateway-request.ts';
import { CountedReleases } from './counted-releases.ts';
import { giveGroup, groupOf, isInShare } from './share.ts';
import { WatchedCanary, type LiveCanary } from './watched-canary.ts';

export interface CanariesOptions {
  /** Folder of releases, with a subfolder for each remote; without it there are no canaries. */
  readonly releases: string | undefined;
  readonly remotes: readonly string[];
  /** Milliseconds between polls. */
  readonly everyMs: number;
  /** Called when a canary has started or ended. */
  readonly onChange: () => void;
  readonly log: Logger;
}

/** The canaries of all remotes, the visitors who get them, and the figures that pages report about all releases. */
export class Canaries {
  readonly #watched: ReadonlyMap<string, WatchedCanary>;
  readonly #log: Logger;
  readonly #counted: CountedReleases;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #trouble: string | undefined;

  constructor({ releases, remotes, everyMs, onChange, log }: CanariesOptions) {
    const counter = randomUUID();
    this.#log = log;
    this.#counted = new CountedReleases(releases, remotes);
    this.#watched = new Map(
      (releases === undefined ? [] : remotes).map((name) => [
        name,
        new WatchedCanary({ name, releases: path.join(releases ?? '', name), counter, onChange, log }),
      ]),
    );
    if (releases !== undefined) this.#schedule(everyMs);
  }

  /** All running canaries. */
  get live(): readonly LiveCanary[] {
    return [...this.#watched.values()].flatMap(({ live }) => live ?? []);
  }

  /**
   * The canaries that a visitor gets.
   *
   * @param res - set for a page: a browser without a group is given one. Other requests use the group that came with
   *   the page.
   */
  of(req: GatewayRequest, res?: ServerResponse): readonly LiveCanary[] {
    const { live } = this;
    if (live.length === 0) return live;
    const group = groupOf(req) ?? (res && giveGroup(req, res));
    if (group === undefined) return [];
    return live.filter(({ canary: { version, id, share }, remote: { name } }) =>
      isInShare(group, `${name} ${version} ${id}`, share),
    );
  }

  /** Counts a visit of a remote's version, or an error in one. */
  count(remote: string, version: string, what: 'visit' | 'error'): void {
    this.#watched.get(remote)?.count(version, what);
    this.#counted.count(remote, version, what);
  }

  /** Counts a web vital of a remote's version. @param value - milliseconds, or CLS */
  measure(remote: string, version: string, name: Vital, value: number): void {
    this.#counted.measure(remote, version, name, value);
  }

  async poll(): Promise<void> {
    try {
      await Promise.all([...this.#watched.values()].map((one) => one.poll()));
      await this.#counted.poll();
      await this.#counted.store();
      if (this.#trouble !== undefined) this.#log.info('canaries can be read again');
      this.#trouble = undefined;
    } catch (error) {
      const message = String(error);
      if (message !== this.#trouble) this.#log.error({ err: error }, 'canaries could not be read, will retry');
      this.#trouble = message;
    }
  }

  /** Stops polling, and stores what has been counted. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.poll();
  }

  #schedule(everyMs: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.poll().finally(() => this.#schedule(everyMs)), everyMs);
    this.#timer.unref();
  }
}
