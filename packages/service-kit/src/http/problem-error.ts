import type { ProofChallenge } from '@clinic/contracts/proof-of-work';
import {
  problemKinds,
  type FieldError,
  type FreeSlot,
  type PriceChange,
  type Problem,
  type ProblemCode,
  type SameTime,
  type StockShortage,
} from '@clinic/contracts';

/** Optional parts of a problem. */
export interface ProblemExtras {
  /** Problem and what to do, for the user. */
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  readonly lines?: readonly StockShortage[];
  readonly prices?: readonly PriceChange[];
  /** A decimal amount. */
  readonly total?: number;
  readonly freeTimes?: readonly string[];
  readonly freeSlots?: readonly FreeSlot[];
  readonly sameTime?: SameTime;
  readonly challenge?: ProofChallenge;
  /** Seconds to wait before retrying: the `Retry-After` header. */
  readonly retryAfter?: number;
  /** Logged, never sent to the client. */
  readonly cause?: unknown;
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

/** The problem JSON of an error. */
export function problemBody(problem: ProblemError, requestId: string): Problem {
  const { detail, errors, lines, prices, total, freeTimes, freeSlots, sameTime, challenge } = problem.extras;
  const { status, title } = problemKinds[problem.code];
  return {
    type: `/problems/${problem.code}`,
    title,
    status,
    code: problem.code,
    detail,
    requestId,
    errors,
    lines,
    prices,
    total,
    freeTimes,
    freeSlots,
    sameTime,
    challenge,
  };
}
