import { hkdfSync, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, string, number, Buffer>(scrypt);

const howMany = 10;
const lettersOfCode = 16;

/** Base32 alphabet (RFC 4648): no 0, 1, 8 and 9, which look like letters. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Recovery codes as stored. */
export interface KeptCodes {
  /** One salt for all codes of a person, so that a lookup hashes a code once. */
  readonly recoverySalt: string;
  readonly recoveryHashes: readonly string[];
}

interface RecoveryCodes {
  readonly codes: string[];
  readonly kept: KeptCodes;
}

const newSalt = (): string => randomBytes(16).toString('base64url');

/** New recovery codes with 80 random bits each, e.g. `ABCD-EFGH-IJKL-MNOP`, and their stored form. */
export const newRecoveryCodes = (): Promise<RecoveryCodes> => codesOf(randomBytes(howMany * lettersOfCode), newSalt());

/**
 * The first recovery codes of a set-up, which follow from its secret (HKDF, RFC 5869): if the answer is lost, they can be
 * shown again without being stored. Whoever has the secret needs no recovery code.
 *
 * @param secret - of the authenticator app
 * @param salt - of a set-up that has been made
 */
export const firstRecoveryCodes = (secret: string, salt = newSalt()): Promise<RecoveryCodes> =>
  codesOf(new Uint8Array(hkdfSync('sha256', secret, salt, 'recovery codes', howMany * lettersOfCode)), salt);

async function codesOf(bytes: Uint8Array, recoverySalt: string): Promise<RecoveryCodes> {
  const codes = Array.from({ length: howMany }, (_, index) => {
    const own = bytes.subarray(index * lettersOfCode, (index + 1) * lettersOfCode);
    const letters = Array.from(own, (byte) => alphabet[byte & 31] ?? '').join('');
    return (letters.match(/.{4}/g) ?? []).join('-');
  });
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
