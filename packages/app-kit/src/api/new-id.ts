/** A random id: request ids, idempotency keys. Unlike `crypto.randomUUID` it also works on a plain http host name. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
