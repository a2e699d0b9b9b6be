/** Failures one after the other that open the circuit. */
const failuresUntilOpen = 5;

/** Milliseconds that the circuit is open at first; twice as long each time a trial fails. */
const openForAtFirst = 1_000;
const openForAtMost = 15_000;

export type BreakerState = 'closed' | 'open' | 'half-open';

/**
 * A circuit breaker: what fails again and again is left alone for a while, then tried with one request.
 *
 * (Opossum and Cockatiel wrap a function that returns a promise; an answer that is passed on as a stream is none, and a
 * promise for each request would cost more than the whole breaker.)
 */
export class Breaker {
  #failures = 0;
  #openedTimes = 0;
  #until = 0;
  #state: BreakerState = 'closed';
  /** Opened because nobody listens: whoever hears it answer may close it. */
  #unreachable = false;

  get state(): BreakerState {
    return this.#state;
  }

  /** Whether a request may be sent at that time. A request sent when the circuit is due is its trial: see {@link beginTrial}. */
  allows(now: number): boolean {
    return this.#state === 'closed' || this.isDue(now);
  }

  /** Whether the circuit waits for a trial. */
  isDue(now: number): boolean {
    return this.#state === 'open' && now >= this.#until;
  }

  /** Milliseconds until the next trial. */
  waitFor(now: number): number {
    return this.#state === 'closed' ? 0 : Math.max(0, this.#until - now);
  }

  /** One request is on its way to find out; until it has, no other is. */
  beginTrial(): void {
    this.#state = 'half-open';
  }

  /** A trial that found nothing out: its client went away. */
  abandonTrial(): void {
    if (this.#state === 'half-open') this.#state = 'open';
  }

  /** It answered. */
  succeeded(): void {
    this.#failures = 0;
    this.#openedTimes = 0;
    this.#state = 'closed';
    this.#unreachable = false;
  }

  /** It broke a connection or took too long. */
  failed(now: number): void {
    this.#failures += 1;
    if (this.#state === 'half-open' || (this.#state === 'closed' && this.#failures >= failuresUntilOpen)) this.#open(now);
  }

  /** Nobody listens there: one try is proof enough. */
  refused(now: number): void {
    if (this.#state === 'open') return;
    this.#unreachable = true;
    this.#open(now);
  }

  /** It was heard beside its work, e.g. says it is ready: that proves it reachable, not that its work goes well. */
  heard(): void {
    if (this.#unreachable && this.#state !== 'closed') this.succeeded();
  }

  #open(now: number): void {
    this.#state = 'open';
    this.#until = now + Math.min(openForAtFirst * 2 ** this.#openedTimes, openForAtMost);
    this.#openedTimes += 1;
  }
}
