/** A random id: request ids, idempotency keys. Unlike `crypto.randomUUID` it also works on a plain http host name. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A request of which nobody knows yet whether it was carried out. */
export interface Attempt {
  /** What was sent: the call's input as JSON, or a code. */
  readonly body: string;
  /** The `Idempotency-Key`. */
  readonly key: string;
}

/** @returns the last attempt, if it sent the same; else another one, with another key */
export const attemptOf = (body: string, last: Attempt | undefined): Attempt =>
  last?.body === body ? last : { body, key: newId() };

/** Idempotency keys: the same one as long as the same is sent again. @returns the key for what is sent */
export function attemptKeys(): (body: string) => string {
  let last: Attempt | undefined;
  return (body) => (last = attemptOf(body, last)).key;
}
