import type { DomainProblems, ProblemDetails } from './domain.ts';
import type { ProofChallenge } from './proof-of-work.ts';

interface ProblemKind {
  readonly status: number;
  readonly title: string;
}

/** Errors of several services. */
const commonProblems = {
  validation_failed: { status: 400, title: 'Check the details you entered' },
  malformed_request: { status: 400, title: 'We couldn’t read the request' },
  bad_id: { status: 400, title: 'This ID isn’t valid' },
  unauthenticated: { status: 401, title: 'Log in to continue' },
  session_stale: { status: 401, title: 'Your access has changed' },
  session_ended: { status: 401, title: 'You’ve been logged out on all devices' },
  second_factor_needed: { status: 401, title: 'Enter the code from your authenticator app' },
  forbidden: { status: 403, title: 'You don’t have permission to do this' },
  account_disabled: { status: 403, title: 'This account is switched off' },
  email_unconfirmed: { status: 403, title: 'The email address isn’t confirmed' },
  proof_needed: { status: 403, title: 'Confirm it’s you' },
  second_factor_wrong: { status: 403, title: 'This code isn’t right' },
  cross_site: { status: 403, title: 'Requests from other sites aren’t allowed' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'This method isn’t allowed here' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  slot_taken: { status: 409, title: 'Someone else has just booked this time' },
  transition_refused: { status: 409, title: 'This status change isn’t possible' },
  too_late: { status: 409, title: 'It’s too late to change this' },
  too_many_appointments: { status: 409, title: 'Too many upcoming appointments' },
  duplicate: { status: 409, title: 'This already exists' },
  staff_account: { status: 409, title: 'Ask an admin to remove your staff role first' },
  changed_meanwhile: { status: 412, title: 'Someone else has changed this' },
  in_progress: { status: 409, title: 'We’re still working on this request' },
  too_large: { status: 413, title: 'The request is too large' },
  address_too_long: { status: 414, title: 'The address is too long' },
  unsupported_media_type: { status: 415, title: 'Send the request as JSON' },
  idempotency_mismatch: { status: 422, title: 'This key was already used for a different request' },
  rate_limited: { status: 429, title: 'Too many attempts' },
  headers_too_large: { status: 431, title: 'The request headers are too large' },
  internal: { status: 500, title: 'Something went wrong on our side' },
  not_implemented: { status: 501, title: 'We can’t read requests of this kind' },
  unavailable: { status: 503, title: 'This service isn’t available right now' },
} as const satisfies Record<string, ProblemKind>;

/** Stable, machine-readable name of an error. */
export type ProblemCode = keyof (typeof commonProblems & DomainProblems);

/** Every error our servers send, by its stable code (RFC 9457): also those of domains whose calls the program imports. */
export const problemKinds = { ...commonProblems } as Readonly<Record<ProblemCode, ProblemKind>>;

/** Makes the errors of a domain known; it declares them in `DomainProblems`, too. */
export function defineProblems<const Kinds extends Readonly<Record<string, ProblemKind>>>(
  kinds: Kinds & { readonly [Code in keyof typeof commonProblems]?: never },
): Kinds {
  Object.assign(problemKinds, kinds);
  return kinds;
}

/** A rejected field; `field` is a dotted path into the body, query or path, e.g. `items.0.quantity`. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** Body of every error response, sent as `application/problem+json` (RFC 9457). */
export interface Problem extends ProblemDetails {
  /** `about:blank`-free, relative reference: `/problems/{code}`. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ProblemCode;
  /** Problem and what to do, for people. */
  readonly detail?: string;
  /** Request id, for finding the request in the logs. */
  readonly requestId?: string;
  readonly errors?: readonly FieldError[];
  /** With `slot_taken`: the other free times of that day, 'HH:mm' in the clinic's time zone. */
  readonly freeTimes?: readonly string[];
  /** With `rate_limited` on registration or a first sign-in: the challenge to solve first. */
  readonly challenge?: ProofChallenge;
}

/** Whether a value read from the network is one of our problems. */
export function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false;
  const { code, status } = value as Partial<Problem>;
  return typeof code === 'string' && Object.hasOwn(problemKinds, code) && typeof status === 'number';
}
