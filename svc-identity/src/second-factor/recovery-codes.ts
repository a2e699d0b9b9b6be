import { createHash, randomBytes } from 'node:crypto';

const howMany = 10;

/** Digits of Base32 (RFC 4648): no 0, 1, 8 and 9, which look like letters. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** New recovery codes with 80 random bits each, e.g. `ABCD-EFGH-IJKL-MNOP`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: howMany }, () => {
    const letters = Array.from(randomBytes(16), (byte) => alphabet[byte & 31] ?? '').join('');
    return (letters.match(/.{4}/g) ?? []).join('-');
  });
}

/** A recovery code as it is kept: they have 80 random bits, so a plain hash is enough. */
export function hashRecoveryCode(code: string): string {
  return createHash('sha256').update(code.toUpperCase().replaceAll(/[^A-Z2-7]/g, '')).digest('base64url');
}
