import type { SegmentClaims } from '../registry/segment-claims.ts';
import type { FromWorker, Report, ToWorker } from './messages.ts';

/**
 * Milliseconds to wait for acknowledgements. Lists are cached no longer than this, so after it no peer can have an old
 * one.
 */
const acknowledgedWithin = 1000;

/** The peers' caches of one service's lists. */
export interface PeerLists {
  /** Notifies them that a change begins. */
  begin(): {
    /** Resolves when none of them has an old list. */ readonly acknowledged: Promise<void>;
    readonly over: () => void;
  };
  /** @param drop - called when a change begins in a peer; returns a function that is called when that change is done */
  onChange(drop: () => () => void): void;
}

/** The gateway's other workers, reached through the primary process. */
export class Peers {
  readonly #send: (message: FromWorker) => void;
  readonly #drops = new Map<string, () => () => void>();
  /** Changes in peers, by id, with what to do when they are done. */
  readonly #elsewhere = new Map<string, () => void>();
  /** Our own changes that peers haven't acknowledged yet. */
  readonly #unacknowledged = new Map<number, () => void>();
  #changes = 0;
  #claims: SegmentClaims | undefined;
  #shared: (() => void) | undefined;
  #leads = false;
  #report: (() => Promise<Report>) | undefined;
  /** Until `join`, there is nothing to finish. */
  #stop: () => void = () => process.exit(0);

  /** @param send - sends a message to the primary process */
  constructor(send: (message: FromWorker) => void) {
    this.#send = send;
  }

  /** Starts receiving messages. */
  join(report: () => Promise<Report>, stop: () => void): void {
    this.#report = report;
    this.#stop = stop;
    this.#send({ kind: 'hello' });
  }

  /** Reports that this worker accepts requests. */
  listening(url: string): void {
    this.#send({ kind: 'listening', url });
  }

  listsOf(service: string): PeerLists {
    return {
      begin: () => this.#begin(service),
      onChange: (drop) => void this.#drops.set(service, drop),
    };
  }

  /**
   * Follows the lead worker's segment assignments, so that all workers agree.
   *
   * @param shared - called when they may have changed
   */
  agreeOn(claims: SegmentClaims, shared: () => void): void {
    this.#claims = claims;
    this.#shared = shared;
    claims.onChange(() => this.#sendSegments());
  }

  take(message: ToWorker): void {
    switch (message.kind) {
      case 'change': {
        const over = this.#drops.get(message.service)?.();
        if (over) this.#elsewhere.set(message.change, over);
        return this.#send({ kind: 'acknowledged', change: message.change });
      }
      case 'change over':
        this.#elsewhere.get(message.change)?.();
        this.#elsewhere.delete(message.change);
        return;
      case 'all acknowledged':
        return this.#unacknowledged.get(message.change)?.();
      case 'segments':
        this.#claims?.follow(message.owners);
        return this.#shared?.();
      case 'lead':
        this.#leads = true;
        // From now on its own assignments count, not those of the previous lead.
        this.#claims?.follow(new Map());
        return this.#sendSegments();
      case 'report':
        void this.#report?.().then((report) => this.#send({ kind: 'report', request: message.request, report }));
        return;
      case 'stop':
        this.#stop();
    }
  }

  #begin(service: string): ReturnType<PeerLists['begin']> {
    this.#changes += 1;
    const change = this.#changes;
    const acknowledged = new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#unacknowledged.delete(change);
        resolve();
      };
      const timer = setTimeout(done, acknowledgedWithin);
      this.#unacknowledged.set(change, done);
    });
    this.#send({ kind: 'change', change, service });
    return { acknowledged, over: () => this.#send({ kind: 'change over', change }) };
  }

  #sendSegments(): void {
    if (this.#leads && this.#claims) this.#send({ kind: 'segments', owners: this.#claims.owners });
  }
}
