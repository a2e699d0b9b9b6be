import { createHash } from 'node:crypto';
import type { ObjectId } from 'mongodb';
import { appendEvent, ProblemError, unavailable } from '@clinic/service-kit';
import { aboutUser } from '../access/access-events.ts';
import type { IdentityContext } from '../settings.ts';
import { usersOf, type UserRecord } from '../users/user-record.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import type { CodeSource, SecondFactors } from './second-factors.ts';
import { digitsOf, stepOf, validSeconds } from './totp.ts';

interface SpentCode {
  readonly user: UserRecord;
  readonly code: string;
  readonly source: CodeSource;
  readonly requestId: string;
  readonly idempotencyKey: string | undefined;
}

/** Milliseconds for which a code may be sent again: an app's code isn't valid for longer. */
const sentAgainWithin = validSeconds * 1_000;

/**
 * Accepts a code of the user's authenticator app, or one of their recovery codes. Each works once, even if it arrives twice
 * at the same moment; only who sent it may send it again, after a lost response, which nobody else can without its
 * idempotency key.
 *
 * @throws ProblemError second_factor_wrong; rate_limited after too many wrong ones; unavailable, which doesn't count, if the
 *   app's secret is encrypted with a session key that this replica doesn't have
 */
export async function spendCode(
  context: IdentityContext,
  factors: SecondFactors,
  { user, code, source, requestId, idempotencyKey }: SpentCode,
): Promise<void> {
  if (!user.secondFactor) return;
  const digits = digitsOf(code);
  const key = idempotencyKey && createHash('sha256').update(idempotencyKey).digest('base64url');
  await factors.countTry(user._id.toHexString(), source, () =>
    digits === undefined
      ? spendRecoveryCode(context, user, code, requestId, key)
      : spendDigits(context, factors, user, digits, key),
  );
}

async function spendDigits(
  context: IdentityContext,
  { box }: SecondFactors,
  { _id, secondFactor }: UserRecord,
  digits: string,
  key: string | undefined,
): Promise<void> {
  if (!secondFactor) return;
  const { secret: sealed } = secondFactor;
  const secret = box.open(sealed, _id.toHexString());
  if (secret === undefined) {
    context.log.error({ user: _id.toHexString() }, 'authenticator secret is encrypted with another session key');
    throw unavailable('We can’t check codes from your app right now. Use a recovery code, or try again later.');
  }
  const step = stepOf(secret, digits);
  if (step !== undefined) {
    const used = await usersOf(context).updateOne(
      { _id, 'secondFactor.secret': sealed, 'secondFactor.lastStep': { $lt: step } },
      { $set: { 'secondFactor.lastStep': step, ...(key !== undefined && spentNow(String(step), key)) } },
    );
    if (used.modifiedCount === 1 || (await isSentAgain(context, _id, String(step), key))) return;
  }
  throw new ProblemError('second_factor_wrong', {
    detail: 'Enter the six-digit code your authenticator app shows now. Each code works once.',
    errors: [{ field: 'code', message: 'This code isn’t right or has already been used' }],
  });
}

async function spendRecoveryCode(
  context: IdentityContext,
  { _id, secondFactor }: UserRecord,
  code: string,
  requestId: string,
  key: string | undefined,
): Promise<void> {
  const hash = await hashRecoveryCode(code, secondFactor?.recoverySalt ?? '');
  await context.inTransaction(async (session) => {
    const used = await usersOf(context).findOneAndUpdate(
      { _id, 'secondFactor.recoveryHashes': hash },
      { $pull: { 'secondFactor.recoveryHashes': hash }, ...(key !== undefined && { $set: spentNow(hash, key) }) },
      { session, returnDocument: 'after' },
    );
    if (!used) {
      if (await isSentAgain(context, _id, hash, key)) return;
      throw new ProblemError('second_factor_wrong', {
        detail: 'Enter a recovery code that you haven’t used yet.',
        errors: [{ field: 'code', message: 'This recovery code isn’t right or has already been used' }],
      });
    }
    await appendEvent(context, session, {
      call: 'startSession',
      caller: undefined,
      requestId,
      ...aboutUser(used),
      action: 'recovery code used',
      before: null,
      after: { left: used.secondFactor?.recoveryHashes.length ?? 0 },
    });
  });
}

/** @param what - time step of an app's code, or hash of a recovery code @param key - hash of the idempotency key */
const spentNow = (what: string, key: string) => ({ 'secondFactor.lastSpent': { what, key, at: new Date() } });

/** Whether this is the code that was spent last, sent again under its key. */
async function isSentAgain(
  context: IdentityContext,
  _id: ObjectId,
  what: string,
  key: string | undefined,
): Promise<boolean> {
  if (key === undefined) return false;
  const { lastSpent } = (await usersOf(context).findOne({ _id }))?.secondFactor ?? {};
  return lastSpent?.what === what && lastSpent.key === key && Date.now() - lastSpent.at.getTime() < sentAgainWithin;
}
