import { brand } from '@clinic/contracts';
import { Secret, TOTP } from 'otpauth';

/** Seconds that a code is valid for, and how many steps a clock may be off in either direction (RFC 6238, section 5.2). */
const period = 30;
const window = 1;

/** Seconds for which a code is accepted. */
export const validSeconds = (2 * window + 1) * period;

/** Random bytes of a secret: the length of the HMAC's output (RFC 4226, section 4). */
const secretBytes = 20;

/** A new secret, Base32. */
export function newSecret(): string {
  return new Secret({ size: secretBytes }).base32;
}

/**
 * @param secret - Base32
 * @param email - shown in the authenticator app beside the clinic's name
 */
export function totpOf(secret: string, email = ''): TOTP {
  return new TOTP({
    issuer: brand.brandName,
    label: email,
    algorithm: 'SHA1',
    digits: 6,
    period,
    secret: Secret.fromBase32(secret),
  });
}

/**
 * @param code - six digits
 * @returns the time step of the code; `undefined` if it is wrong
 */
export function stepOf(secret: string, code: string, now = Date.now()): number | undefined {
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window });
  return delta === null ? undefined : Math.floor(now / 1_000 / period) + delta;
}

/** The six digits of a code, however they are grouped; `undefined` if it isn't one. */
export function digitsOf(code: string): string | undefined {
  const digits = code.replaceAll(/\s/g, '');
  return /^\d{6}$/.test(digits) ? digits : undefined;
}
