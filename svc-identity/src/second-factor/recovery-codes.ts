import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, string, number, Buffer>(scrypt);

const howMany = 10;

/** Base32 alphabet (RFC 4648): no 0, 1, 8 and 9, which look like letters. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Recovery codes as stored. */
export interface KeptCodes {
  /** One salt for all codes of a person, so that a lookup hashes a code once. */
  readonly recoverySalt: string;
  readonly recoveryHashes: readonly string[];
}

/** New recovery codes with 80 random bits each, e.g. `ABCD-EFGH-IJKL-MNOP`, and their stored form. */
export async function newRecoveryCodes(): Promise<{ readonly codes: string[]; readonly kept: KeptCodes }> {
  const codes = Array.from({ length: howMany }, () => {
    const letters = Array.from(randomBytes(16), (byte) => alphabet[byte & 31] ?? '').join('');
    return (letters.match(/.{4}/g) ?? []).join('-');
  });
  const recoverySalt = randomBytes(16).toString('base64url');
  return {
    codes,
    kept: {
      recoverySalt,
      recoveryHashes: await Promise.all(codes.map((code) => hashRecoveryCode(code, recoverySalt))),
    },
  };
}

/** Salted scrypt (RFC 7914), as ASVS requires for secrets of less than 112 bits. */
export async function hashRecoveryCode(code: string, salt: string): Promise<string> {
  return (await derive(code.toUpperCase().replaceAll(/[^A-Z2-7]/g, ''), salt, 32)).toString('base64url');
}
