import type { ProofChallenge } from './proof-of-work.ts';

/** Every error our servers send, by its stable code (RFC 9457). */
export const problemKinds = {
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
  times_free: { status: 409, title: 'You can book a free time' },
  too_many_waiting: { status: 409, title: 'Too many places on the waitlist' },
  offer_over: { status: 409, title: 'This offer has ended' },
  too_many_orders: { status: 409, title: 'Too many open orders' },
  stock_short: { status: 409, title: 'Some items aren’t available' },
  prescription_needed: { status: 409, title: 'Needs a prescription' },
  price_changed: { status: 409, title: 'Prices have changed' },
  duplicate: { status: 409, title: 'This already exists' },
  own_role: { status: 409, title: 'You can’t change your own role' },
  own_account: { status: 409, title: 'You can’t switch off your own account' },
  last_admin: { status: 409, title: 'There must be at least one admin' },
  staff_account: { status: 409, title: 'Ask an admin to remove your staff role first' },
  invitation_over: { status: 409, title: 'This invitation is no longer valid' },
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
  /** Units the customer can order. */
  readonly available: number;
  /**
   * `limit` if it is in stock, but one customer may not have more on order; `unknown` also if it is archived;
   * `prescription` if only the counter sells it.
   */
  readonly reason: 'out of stock' | 'not enough' | 'expired' | 'unknown' | 'limit' | 'prescription';
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
  /** Whether the request would be accepted with `alsoThen: true`; if not, the patient is at the limit for that time. */
  readonly canConfirm: boolean;
}

/** A free time of a doctor. */
export interface FreeSlot {
  readonly doctorid: string;
  readonly doctorname: string;
  /** 'yyyy-mm-dd' and 'HH:mm' in the clinic's time zone. */
  readonly date: string;
  readonly time: string;
}

/** Body of every error response, sent as `application/problem+json` (RFC 9457). */
export interface Problem {
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
  /** With `stock_short` and `prescription_needed`. */
  readonly lines?: readonly StockShortage[];
  /** With `price_changed`. */
  readonly prices?: readonly PriceChange[];
  /** With `price_changed`: what the order would cost now; a decimal amount. */
  readonly total?: number;
  /** With `slot_taken`: the other free times of that day, 'HH:mm' in the clinic's time zone. */
  readonly freeTimes?: readonly string[];
  /** With `times_free`: some of the times that the patient could book now, earliest first for each doctor. */
  readonly freeSlots?: readonly FreeSlot[];
  /** With `too_many_appointments` if the patient has another appointment at that time. */
  readonly sameTime?: SameTime;
  /** With `rate_limited` on registration or a first sign-in: the challenge to solve first. */
  readonly challenge?: ProofChallenge;
}

/** Whether a value read from the network is one of our problems. */
export function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false;
  const { code, status } = value as Partial<Problem>;
  return typeof code === 'string' && Object.hasOwn(problemKinds, code) && typeof status === 'number';
}
