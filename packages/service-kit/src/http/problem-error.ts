import { problemKinds, type Problem, type ProblemCode } from '@clinic/contracts';
import type { LookedAt } from '../history/looked-at.ts';

/** Optional parts of a problem. */
export interface ProblemExtras extends Partial<Omit<Problem, 'type' | 'title' | 'status' | 'code' | 'requestId'>> {
  /** Seconds to wait before retrying: the `Retry-After` header. */
  readonly retryAfter?: number;
  /** Logged, never sent to the client. */
  readonly cause?: unknown;
  /** The problem tells this of somebody: if staff read it, that is noted as a look (docs/privacy.md). */
  readonly tells?: { readonly what: string; readonly of: LookedAt };
}

/** An error for the client. Thrown by domain functions, rendered in one place (RFC 9457). */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  readonly extras: ProblemExtras;

  constructor(code: ProblemCode, extras: ProblemExtras = {}) {
    super(extras.detail ?? problemKinds[code].title, { cause: extras.cause });
    this.code = code;
    this.extras = extras;
  }

  get status(): number {
    return problemKinds[this.code].status;
  }
}

/** The problem of a change that a record's state doesn't allow. @param detail - why, for the user */
export const refused = (detail: string): ProblemError => new ProblemError('transition_refused', { detail });

/** The problem of a request with one wrong field. @param message - what is wrong with it, for the user */
export const rejected = (field: string, message: string, extras: ProblemExtras = {}): ProblemError =>
  new ProblemError('validation_failed', { ...extras, errors: [{ field, message }] });

/** The problem JSON of an error. */
export function problemBody(problem: ProblemError, requestId: string): Problem {
  const { retryAfter: _retryAfter, cause: _cause, tells: _tells, ...said } = problem.extras;
  const { status, title } = problemKinds[problem.code];
  return {
    type: `/problems/${problem.code}`,
    title,
    status,
    code: problem.code,
    requestId,
    ...said,
  };
}
