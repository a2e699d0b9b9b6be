import { appendEvent, type Rejection } from '@clinic/service-kit';
import type { IdentityContext } from '../settings.ts';
import { signInRecord } from './access-events.ts';

/** Milliseconds before the same rejection is written again: attempts in a loop must not fill the database. */
const notedEvery = 60_000;
const rememberAtMost = 10_000;

/** Writes rejected sign-ins to the history, each kind at most once a minute; the log has every one. */
export class RejectedSignIns {
  readonly #context: IdentityContext;
  readonly #noted = new Map<string, number>();

  constructor(context: IdentityContext) {
    this.#context = context;
  }

  /** Never throws: the rejection is sent in any case. */
  async note({ call, problem, requestId, req, provenEmail }: Rejection): Promise<void> {
    if (call !== 'startSession') return;
    const reason = problem.code;
    // Being asked for a code is a normal step of signing in.
    if (reason === 'second_factor_needed') return;
    // Never the address that the request claims: otherwise anybody could write into anybody's history.
    if (!this.#isNew(`${req.ip} ${reason} ${provenEmail}`)) return;
    try {
      await this.#context.inTransaction((session) =>
        appendEvent(this.#context, session, {
          call,
          caller: undefined,
          requestId,
          record: { type: signInRecord, id: provenEmail ?? 'unknown' },
          subject: provenEmail,
          action: 'sign-in refused',
          before: null,
          after: { reason, address: req.ip },
        }),
      );
    } catch (error) {
      this.#context.log.warn(
        { requestId, reason: (error as Error).message },
        'writing a rejected sign-in to the history failed',
      );
    }
  }

  #isNew(kind: string): boolean {
    const now = Date.now();
    const last = this.#noted.get(kind);
    if (last !== undefined && now - last < notedEvery) return false;
    this.#noted.delete(kind);
    if (this.#noted.size >= rememberAtMost) {
      const oldest = this.#noted.keys().next();
      if (!oldest.done) this.#noted.delete(oldest.value);
    }
    this.#noted.set(kind, now);
    return true;
  }
}
