import type { Logger } from 'pino';

/** Logs a trouble when it begins and when its reason changes, not each time it is met, and when it ends. */
export class Troubles<Subject> {
  readonly #log: Logger;
  readonly #begins: string;
  readonly #ends: string | undefined;
  readonly #level: 'warn' | 'error';
  readonly #reasons = new Map<Subject, string>();

  /** @param ends - message for the end; without one it isn't logged */
  constructor(log: Logger, begins: string, ends?: string, level: 'warn' | 'error' = 'warn') {
    this.#log = log;
    this.#begins = begins;
    this.#ends = ends;
    this.#level = level;
  }

  /** Why a subject is in trouble now. */
  of(subject: Subject): string | undefined {
    return this.#reasons.get(subject);
  }

  /** @param details - for the log line */
  begin(subject: Subject, reason: string, details: object = {}): void {
    if (this.#reasons.get(subject) === reason) return;
    this.#reasons.set(subject, reason);
    this.#log[this.#level]({ ...details, reason }, this.#begins);
  }

  end(subject: Subject): void {
    if (this.#reasons.delete(subject) && this.#ends !== undefined) this.#log.info(this.#ends);
  }
}
