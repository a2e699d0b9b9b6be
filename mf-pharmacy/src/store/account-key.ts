/**
 * A short key for an account in the browser's storage, so that its email address isn't stored there. It only has to
 * distinguish accounts and protects no secret. FNV-1a, 64 bits.
 *
 * @param email - lower case
 */
export function accountKey(email: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(email)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(36);
}
