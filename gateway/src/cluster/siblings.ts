import type { SegmentClaims } from '../segment-claims.ts';
import type { FromWorker, Report, ToWorker } from './messages.ts';

/** Milliseconds after which others can't have lists left from before, whether they have answered or not: as long as lists are kept. */
const heardWithin = 1000;

/** The workers beside this one, as far as one service's lists concern them. */
export interface OtherKeepers {
  /** Tells them that a change begins. */
  begin(): { /** Resolves when none of them has lists from before. */ readonly heard: Promise<void>; readonly over: () => void };
  /** @param drop - called when a change begins elsewhere; what it returns is called when that is over */
  onChange(drop: () => () => void): void;
}

/** The other workers of this gateway, reached through the primary process. */
export class Siblings {
  readonly #send: (message: FromWorker) => void;
  readonly #drops = new Map<string, () => () => void>();
  /** Changes elsewhere, by their ids, with what to do when they are over. */
  readonly #elsewhere = new Map<string, () => void>();
  /** Our own changes that others are yet to hear of. */
  readonly #telling = new Map<number, () => void>();
  #changes = 0;
  #claims: SegmentClaims | undefined;
  #shared: (() => void) | undefined;
  #leads = false;
  #report: (() => Promise<Report>) | undefined;
  /** Before there is anything to finish. */
  #stop: () => void = () => process.exit(0);

  /** @param send - hands a message to the primary process */
  constructor(send: (message: FromWorker) => void) {
    this.#send = send;
  }

  /** From now on messages can be taken. */
  join(report: () => Promise<Report>, stop: () => void): void {
    this.#report = report;
    this.#stop = stop;
    this.#send({ kind: 'hello' });
  }

  /** Says that requests are taken. */
  listening(url: string): void {
    this.#send({ kind: 'listening', url });
  }

  keepersOf(service: string): OtherKeepers {
    return {
      begin: () => this.#begin(service),
      onChange: (drop) => void this.#drops.set(service, drop),
    };
  }

  /** Shares segments out as the first worker does: who came first there is first everywhere. @param shared - called when that may have changed */
  agreeOn(claims: SegmentClaims, shared: () => void): void {
    this.#claims = claims;
    this.#shared = shared;
    claims.onChange(() => this.#tellSegments());
  }

  take(message: ToWorker): void {
    switch (message.kind) {
      case 'change': {
        const over = this.#drops.get(message.service)?.();
        if (over) this.#elsewhere.set(message.change, over);
        return this.#send({ kind: 'heard', change: message.change });
      }
      case 'change over':
        this.#elsewhere.get(message.change)?.();
        this.#elsewhere.delete(message.change);
        return;
      case 'all have heard':
        return this.#telling.get(message.change)?.();
      case 'segments':
        this.#claims?.follow(message.owners);
        return this.#shared?.();
      case 'lead':
        this.#leads = true;
        // What another one had done before counts as its own now.
        this.#claims?.follow(new Map());
        return this.#tellSegments();
      case 'report':
        void this.#report?.().then((report) => this.#send({ kind: 'report', question: message.question, report }));
        return;
      case 'stop':
        this.#stop();
    }
  }

  #begin(service: string): ReturnType<OtherKeepers['begin']> {
    this.#changes += 1;
    const change = this.#changes;
    const heard = new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#telling.delete(change);
        resolve();
      };
      const timer = setTimeout(done, heardWithin);
      this.#telling.set(change, done);
    });
    this.#send({ kind: 'change', change, service });
    return { heard, over: () => this.#send({ kind: 'change over', change }) };
  }

  #tellSegments(): void {
    if (this.#leads && this.#claims) this.#send({ kind: 'segments', owners: this.#claims.owners });
  }
}
