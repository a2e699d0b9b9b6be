import { createHash } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { appendEvent, ProblemError } from '@clinic/service-kit';
import { changedRecord } from '../access/access-events.ts';
import type { IdentityContext } from '../settings.ts';
import { usersOf, type UserRecord } from '../users/user-record.ts';

/** Seconds that a code is shown for, and how many steps a clock may be off in either direction (RFC 6238, section 5.2). */
const period = 30;
const window = 1;

/** @param secret - Base32 */
export function totpOf(secret: string, email = ''): TOTP {
  return new TOTP({ issuer: 'Clinic', label: email, algorithm: 'SHA1', digits: 6, period, secret: Secret.fromBase32(secret) });
}

/**
 * @param code - six digits
 * @returns the time step whose code it is; `undefined`: it is none's
 */
export function stepOf(secret: string, code: string, now = Date.now()): number | undefined {
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window });
  return delta === null ? undefined : Math.floor(now / 1_000 / period) + delta;
}

/** A recovery code as it is kept: they have 80 random bits, so a plain hash is enough. */
export function hashRecoveryCode(code: string): string {
  return createHash('sha256').update(code.toUpperCase().replaceAll(/[^A-Z2-7]/g, '')).digest('base64url');
}

/**
 * Accepts a code of the user's authenticator app, or one of their recovery codes. Each works once, also when it arrives
 * twice at the same moment.
 *
 * @throws ProblemError second_factor_wrong
 */
export async function spendCode(context: IdentityContext, { _id, email, secondFactor }: UserRecord, code: string, requestId: string): Promise<void> {
  if (!secondFactor) return;
  const users = usersOf(context);
  const digits = code.replaceAll(/\s/g, '');
  if (/^\d{6}$/.test(digits)) {
    const step = stepOf(secondFactor.secret, digits);
    const used = step === undefined ? undefined : await users.updateOne({ _id, 'secondFactor.secret': secondFactor.secret, 'secondFactor.lastStep': { $lt: step } }, { $set: { 'secondFactor.lastStep': step } });
    if (used?.modifiedCount === 1) return;
    throw new ProblemError('second_factor_wrong', {
      detail: 'Enter the six digits that your authenticator app shows now. Each code works once.', errors: [{ field: 'code', message: 'This code isn’t right, or was used already' }],
    });
  }
  const hash = hashRecoveryCode(code);
  await context.inTransaction(async (session) => {
    const { modifiedCount } = await users.updateOne({ _id, 'secondFactor.recoveryHashes': hash }, { $pull: { 'secondFactor.recoveryHashes': hash } }, { session });
    if (modifiedCount === 0) throw new ProblemError('second_factor_wrong', { detail: 'Enter a recovery code that you haven’t used yet.', errors: [{ field: 'code', message: 'This recovery code isn’t right, or was used already' }] });
    await appendEvent(context, session, {
      call: 'startSession', caller: undefined, requestId, record: { type: changedRecord, id: _id.toHexString() }, subject: email,
      action: 'recovery code used', before: null, after: { left: secondFactor.recoveryHashes.length - 1 },
    });
  });
}
