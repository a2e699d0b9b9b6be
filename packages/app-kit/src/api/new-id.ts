/** A random id: request ids, idempotency keys. Unlike `crypto.randomUUID` it also works on a plain http host name. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Idempotency keys: the same one as long as the same is sent again. @returns the key for what is sent */
export function attemptKeys(): (sent: string) => string {
  let last: { readonly sent: string; readonly key: string } | undefined;
  return (sent) => {
    if (last?.sent !== sent) last = { sent, key: newId() };
    return last.key;
  };
}
