/** Consecutive failures that open the circuit. */
const failuresUntilOpen = 5;

/** Milliseconds for which the circuit first opens; doubles each time a trial fails. */
const openForAtFirst = 1_000;
const openForAtMost = 15_000;

export type BreakerState = 'closed' | 'open' | 'half-open';

/**
 * A circuit breaker: a replica that keeps failing gets no requests for a while, then a single trial.
 *
 * (Opossum and Cockatiel wrap a function that returns a promise. A streamed response isn't one, and a promise per
 * request would cost more than the whole breaker.)
 */
export class Breaker {
  #failures = 0;
  #openedTimes = 0;
  #until = 0;
  #state: BreakerState = 'closed';
  /** Opened because nothing was listening: any response from the replica closes it. */
  #unreachable = false;

  get state(): BreakerState {
    return this.#state;
  }

  /**
   * Whether a request may be sent at time `now`. A request sent when a trial is due is the trial: see {@link
   * beginTrial}.
   */
  allows(now: number): boolean {
    return this.#state === 'closed' || this.isDue(now);
  }

  /** Whether the circuit is ready for a trial. */
  isDue(now: number): boolean {
    return this.#state === 'open' && now >= this.#until;
  }

  /** Milliseconds until the next trial. */
  waitFor(now: number): number {
    return this.#state === 'closed' ? 0 : Math.max(0, this.#until - now);
  }

  /** Starts a trial request; until it ends, no other is sent. */
  beginTrial(): void {
    this.#state = 'half-open';
  }

  /** The trial ended without a result because its client left. */
  abandonTrial(): void {
    if (this.#state === 'half-open') this.#state = 'open';
  }

  /** The replica responded. */
  succeeded(): void {
    this.#failures = 0;
    this.#openedTimes = 0;
    this.#state = 'closed';
    this.#unreachable = false;
  }

  /** The replica broke a connection or timed out. */
  failed(now: number): void {
    this.#failures += 1;
    if (this.#state === 'half-open' || (this.#state === 'closed' && this.#failures >= failuresUntilOpen))
      this.#open(now);
  }

  /** Nothing is listening: one attempt is proof enough. */
  refused(now: number): void {
    if (this.#state === 'open') return;
    this.#unreachable = true;
    this.#open(now);
  }

  /** The replica passed a health check, so it is reachable; its requests may still fail. */
  reachable(): void {
    if (this.#unreachable && this.#state !== 'closed') this.succeeded();
  }

  #open(now: number): void {
    this.#state = 'open';
    this.#until = now + Math.min(openForAtFirst * 2 ** this.#openedTimes, openForAtMost);
    this.#openedTimes += 1;
  }
}
