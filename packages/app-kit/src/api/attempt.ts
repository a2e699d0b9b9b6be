import { newId } from './new-id.ts';

/** A request of which nobody knows yet whether it was carried out. */
export interface Attempt {
  /** What was sent: a call's input as JSON, or a code. */
  readonly body: string;
  /** The `Idempotency-Key`. */
  readonly key: string;
}

/** @returns the last attempt, if it sent the same; else another one, with another key */
export const attemptOf = (body: string, last: Attempt | undefined): Attempt =>
  last?.body === body ? last : { body, key: newId() };
