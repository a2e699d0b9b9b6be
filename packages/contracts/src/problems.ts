import type { ProofChallenge } from './proof-of-work.ts';

/** Every error our servers send, by its stable code (RFC 9457). */
export const problemKinds = {
  validation_failed: { status: 400, title: 'Some fields need another look' },
  malformed_request: { status: 400, title: 'The request could not be read' },
  bad_id: { status: 400, title: 'This is not a valid id' },
  unauthenticated: { status: 401, title: 'Please log in' },
  session_stale: { status: 401, title: 'Your access changed' },
  session_ended: { status: 401, title: 'You have been logged out everywhere' },
  second_factor_needed: { status: 401, title: 'Enter the code from your authenticator app' },
  forbidden: { status: 403, title: 'You may not do this' },
  account_disabled: { status: 403, title: 'This account is switched off' },
  email_unconfirmed: { status: 403, title: 'Confirm the email address first' },
  proof_needed: { status: 403, title: 'Confirm that it’s you' },
  second_factor_wrong: { status: 403, title: 'This code isn’t right' },
  cross_site: { status: 403, title: 'Requests from other sites are refused' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Not possible at this address' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  slot_taken: { status: 409, title: 'This time has just been taken' },
  transition_refused: { status: 409, title: 'This status can no longer be changed so' },
  too_late: { status: 409, title: 'It is too late to change this' },
  too_many_appointments: { status: 409, title: 'Too many open appointments' },
  too_many_orders: { status: 409, title: 'Too many open orders' },
  stock_short: { status: 409, title: 'Not everything can be delivered' },
  price_changed: { status: 409, title: 'Prices have changed' },
  duplicate: { status: 409, title: 'This exists already' },
  own_role: { status: 409, title: 'Nobody changes their own role' },
  own_account: { status: 409, title: 'Nobody switches their own account off' },
  last_admin: { status: 409, title: 'The last admin must stay' },
  staff_account: { status: 409, title: 'Ask an admin to take your staff role away first' },
  invitation_over: { status: 409, title: 'This invitation is no longer open' },
  changed_meanwhile: { status: 412, title: 'Somebody else has changed this meanwhile' },
  in_progress: { status: 409, title: 'The same request is still being worked on' },
  too_large: { status: 413, title: 'The request is too large' },
  address_too_long: { status: 414, title: 'The address is too long' },
  unsupported_media_type: { status: 415, title: 'Only JSON is understood here' },
  idempotency_mismatch: { status: 422, title: 'This key was used for another request' },
  rate_limited: { status: 429, title: 'Too many tries' },
  headers_too_large: { status: 431, title: 'The head of the request is too large' },
  internal: { status: 500, title: 'Something went wrong on our side' },
  unavailable: { status: 503, title: 'This part is away for a moment' },
} as const satisfies Record<string, { status: number; title: string }>;

/** Stable, machine-readable name of an error. */
export type ProblemCode = keyof typeof problemKinds;

/** A rejected field; `field` is a dotted path into the body, query or path, e.g. `items.0.quantity`. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** An order line that can't be delivered, and how much of it can be ordered. */
export interface StockShortage {
  readonly medicineId: string;
  readonly name?: string;
  readonly requested: number;
  /** Units that the customer can order. */
  readonly available: number;
  /** `limit`: it is in stock, but one customer may not have more on order. */
  readonly reason: 'out of stock' | 'not enough' | 'expired' | 'unknown' | 'limit';
}

/** An order line whose price isn't the pharmacy's current one; decimal amounts for one unit. */
export interface PriceChange {
  readonly medicineId: string;
  readonly name: string;
  readonly quantity: number;
  /** The price in the order. */
  readonly seen: number;
  readonly now: number;
}

/** Why an appointment can't be booked at a time: its patient has an appointment with another doctor then. */
export interface SameTime {
  /** The patient's other appointments at that time; without the doctor's name if the caller may not know it. */
  readonly others: readonly { readonly doctorname?: string; readonly date: string; readonly time: string }[];
  /** True: the same request with `alsoThen: true` would be accepted. False: the patient is at the limit for that time. */
  readonly canConfirm: boolean;
}

/** Body of every error response, sent as `application/problem+json` (RFC 9457). */
export interface Problem {
  /** `about:blank`-free, relative reference: `/problems/{code}`. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ProblemCode;
  /** What is wrong and what to do, for people. */
  readonly detail?: string;
  /** Request id, for finding the request in the logs. */
  readonly requestId?: string;
  readonly errors?: readonly FieldError[];
  /** With `stock_short`. */
  readonly lines?: readonly StockShortage[];
  /** With `price_changed`. */
  readonly prices?: readonly PriceChange[];
  /** With `price_changed`: what the order would cost now; a decimal amount. */
  readonly total?: number;
  /** With `slot_taken`: the other free times of that day, 'HH:mm' in the clinic's time zone. */
  readonly freeTimes?: readonly string[];
  /** With `too_many_appointments` if the patient has another appointment at that time. */
  readonly sameTime?: SameTime;
  /** With `rate_limited` on registration or a first sign-in: the challenge to solve to be let in. */
  readonly challenge?: ProofChallenge;
}

/** Whether a value read from the network is one of our problems. */
export function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false;
  const { code, status } = value as Partial<Problem>;
  return typeof code === 'string' && Object.hasOwn(problemKinds, code) && typeof status === 'number';
}
