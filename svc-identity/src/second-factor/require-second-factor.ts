import { ProblemError } from '@clinic/service-kit';
import type { IdentityContext } from '../settings.ts';
import type { UserRecord } from '../users/user-record.ts';
import type { SecondFactors } from './second-factors.ts';
import { spendCode } from './use-second-factor.ts';

/**
 * Requires the second factor from users who have set one up.
 *
 * @throws ProblemError second_factor_needed, second_factor_wrong, rate_limited
 */
export async function requireSecondFactor(
  context: IdentityContext,
  factors: SecondFactors,
  user: UserRecord,
  code: string | undefined,
  requestId: string,
): Promise<void> {
  if (!user.secondFactor) return;
  if (code === undefined)
    throw new ProblemError('second_factor_needed', {
      detail: 'Enter the six-digit code from your authenticator app, or a recovery code.',
    });
  await spendCode(context, factors, user, code, requestId);
}
