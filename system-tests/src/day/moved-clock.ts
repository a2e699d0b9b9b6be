/**
 * Moves the process's clock forward, so that a day passes in a minute. In between it runs on; timers and what measures
 * durations keep the real time.
 */
export class MovedClock implements Disposable {
  readonly #real = Date;
  #ahead = 0;

  constructor() {
    globalThis.Date = new Proxy(this.#real, {
      construct: (target, given: readonly unknown[], newTarget) =>
        Reflect.construct(target, given.length === 0 ? [this.now()] : given, newTarget) as object,
      get: (target, key) => (key === 'now' ? () => this.now() : (Reflect.get(target, key) as unknown)),
    });
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#real.now() + this.#ahead;
  }

  /** @param instant - milliseconds since 1970; not before {@link now} */
  moveTo(instant: number): void {
    this.#ahead = Math.max(this.#ahead, instant - this.#real.now());
  }

  [Symbol.dispose](): void {
    globalThis.Date = this.#real;
  }
}
