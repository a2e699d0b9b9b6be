import type { RegisteredRemote } from '@clinic/contracts/remotes';
import {
  endCanary,
  judge,
  readCanary,
  readCanaryDescriptor,
  storeCounts,
  totalCounts,
  type Canary,
} from '@clinic/static-server/canary';
import type { Logger } from 'pino';
import { remoteOf } from '../registry/read-remote.ts';

/** A running canary and the remote that its share of visitors gets. */
export interface LiveCanary {
  readonly canary: Canary;
  readonly remote: RegisteredRemote;
}

export interface WatchedCanaryOptions {
  /** The remote's name. */
  readonly name: string;
  /** Folder of its releases. */
  readonly releases: string;
  /** Identifies this process among all that count. */
  readonly counter: string;
  /** Called when a canary has started or ended. */
  readonly onChange: () => void;
  readonly log: Logger;
}

/**
 * Follows the canary of one remote. Each gateway process counts what its visitors report and stores it beside the
 * canary; all of them decide by the sum, and the first to write the end has ended it.
 */
export class WatchedCanary {
  readonly #options: WatchedCanaryOptions;
  #live: LiveCanary | undefined;
  #counts = { visits: 0, errors: 0, lastErrorAt: 0 };
  #isCounted = true;
  /** Id of a canary that can't be served, to log it once. */
  #unusable = 0;

  constructor(options: WatchedCanaryOptions) {
    this.#options = options;
  }

  get live(): LiveCanary | undefined {
    return this.#live;
  }

  /** Counts a visit of a version, or an error in one. */
  count(version: string, what: 'visit' | 'error'): void {
    if (this.#live?.canary.version !== version) return;
    if (what === 'visit') this.#counts.visits += 1;
    else {
      this.#counts.errors += 1;
      this.#counts.lastErrorAt = Date.now();
    }
    this.#isCounted = false;
  }

  /** Reads which canary runs now, and ends it if the counts decide so. */
  async poll(): Promise<void> {
    const { releases } = this.#options;
    const canary = await readCanary(releases);
    if (canary?.id !== this.#live?.canary.id) await this.#follow(canary);
    const { canary: running } = this.#live ?? {};
    if (!running) return;
    if (!this.#isCounted) await this.#store(running);
    const total = await totalCounts(releases, running);
    const outcome = judge(running, total, Date.now());
    if (outcome !== undefined) await this.#end(running, outcome, total);
  }

  async #store(running: Canary): Promise<void> {
    const { releases, counter } = this.#options;
    // Before the write: more may be counted meanwhile.
    this.#isCounted = true;
    try {
      await storeCounts(releases, running, counter, this.#counts);
    } catch (error) {
      this.#isCounted = false;
      throw error;
    }
  }

  async #follow(canary: Canary | undefined): Promise<void> {
    const { name, releases, log, onChange } = this.#options;
    const before = this.#live;
    const remote = canary && (await this.#describe(canary));
    this.#live = canary && remote ? { canary, remote } : undefined;
    this.#counts = { visits: 0, errors: 0, lastErrorAt: 0 };
    this.#isCounted = true;
    if (this.#live) log.info({ remote: name, ...this.#live.canary, releases }, 'canary follows');
    if (before || this.#live) onChange();
  }

  async #describe(canary: Canary): Promise<RegisteredRemote | undefined> {
    const { name, releases, log } = this.#options;
    try {
      const text = await readCanaryDescriptor(releases, canary);
      if (text === undefined) throw new Error('the release has been removed');
      return remoteOf(name, text);
    } catch (error) {
      if (this.#unusable !== canary.id) log.error({ remote: name, ...canary, err: error }, 'canary can’t be served');
      this.#unusable = canary.id;
      return undefined;
    }
  }

  async #end(
    canary: Canary,
    outcome: 'promoted' | 'rolled back',
    { visits, errors }: { readonly visits: number; readonly errors: number },
  ): Promise<void> {
    const { name: remote, releases, log } = this.#options;
    const { version } = canary;
    if (!(await endCanary(releases, canary, { outcome, visits, errors }))) return;
    if (outcome === 'promoted') log.info({ remote, version, visits, errors }, 'canary promoted');
    else log.error({ remote, version, visits, errors }, 'canary rolled back');
    await this.#follow(undefined);
  }
}
