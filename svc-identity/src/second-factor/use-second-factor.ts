import { appendEvent, ProblemError } from '@clinic/service-kit';
import { aboutUser } from '../access/access-events.ts';
import type { IdentityContext } from '../settings.ts';
import { usersOf, type UserRecord } from '../users/user-record.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import type { CodeSource, SecondFactors } from './second-factors.ts';
import { digitsOf, stepOf } from './totp.ts';

interface SpentCode {
  readonly user: UserRecord;
  readonly code: string;
  readonly source: CodeSource;
  readonly requestId: string;
}

/**
 * Accepts a code of the user's authenticator app, or one of their recovery codes. Each works once, even if it arrives twice
 * at the same moment.
 *
 * @throws ProblemError second_factor_wrong; rate_limited after too many wrong ones
 */
export async function spendCode(
  context: IdentityContext,
  factors: SecondFactors,
  { user, code, source, requestId }: SpentCode,
): Promise<void> {
  if (!user.secondFactor) return;
  const digits = digitsOf(code);
  await factors.countTry(user._id.toHexString(), source, () =>
    digits === undefined
      ? spendRecoveryCode(context, user, code, requestId)
      : spendDigits(context, factors, user, digits),
  );
}

async function spendDigits(
  context: IdentityContext,
  { box }: SecondFactors,
  { _id, secondFactor }: UserRecord,
  digits: string,
): Promise<void> {
  if (!secondFactor) return;
  const { secret: sealed } = secondFactor;
  const secret = box.open(sealed, _id.toHexString());
  if (secret === undefined)
    context.log.error({ user: _id.toHexString() }, 'authenticator secret is encrypted with another session key');
  const step = secret === undefined ? undefined : stepOf(secret, digits);
  const used =
    step === undefined
      ? undefined
      : await usersOf(context).updateOne(
          { _id, 'secondFactor.secret': sealed, 'secondFactor.lastStep': { $lt: step } },
          { $set: { 'secondFactor.lastStep': step } },
        );
  if (used?.modifiedCount === 1) return;
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
): Promise<void> {
  const hash = await hashRecoveryCode(code, secondFactor?.recoverySalt ?? '');
  await context.inTransaction(async (session) => {
    const used = await usersOf(context).findOneAndUpdate(
      { _id, 'secondFactor.recoveryHashes': hash },
      { $pull: { 'secondFactor.recoveryHashes': hash } },
      { session, returnDocument: 'after' },
    );
    if (!used) {
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
