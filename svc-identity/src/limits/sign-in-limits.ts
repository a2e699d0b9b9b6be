import type { RequestHandler } from 'express';
import { networkOf } from '@clinic/contracts/network';
import { ProblemError, SharedCount } from '@clinic/service-kit';
import type { IdentityContext } from '../settings.ts';

/**
 * Rate limits on signing in and registering, per network, and per account and network: somebody who only knows a
 * password must not use up its owner's sign-ins.
 */
export interface SignInLimits {
  /** Middleware: counts before any work is done. */
  readonly perAddress: RequestHandler;
  /** Counts for an account once it is known. @throws ProblemError rate_limited */
  countAccount(account: string, address: string | undefined): Promise<void>;
}

const minute = 60_000;

/** Counted in the database, so that the limits hold over all replicas together. */
export function signInLimits(context: IdentityContext): SignInLimits {
  const { SIGN_INS_PER_MINUTE_AND_ACCOUNT: mostPerAccount, SIGN_INS_PER_MINUTE_AND_ADDRESS: mostPerAddress } =
    context.settings;
  const countAccount = limiter(context, 'account', mostPerAccount);
  const countAddress = limiter(context, 'address', mostPerAddress);
  return {
    async perAddress(request, _response, next) {
      await countAddress(networkOf(request.ip ?? ''));
      next();
    },
    countAccount: (account, address = '') => countAccount(`${account} ${networkOf(address)}`),
  };
}

function limiter(context: IdentityContext, what: string, limit: number): (key: string) => Promise<void> {
  const counts = new SharedCount(context, what, limit, minute);
  return async (key) => {
    const { totalHits, resetTime } = await counts.increment(key);
    if (totalHits <= limit) return;
    throw new ProblemError('rate_limited', {
      detail: 'Too many attempts. Wait a minute, then try again.',
      retryAfter: Math.max(1, Math.ceil((resetTime.getTime() - Date.now()) / 1_000)),
    });
  };
}
