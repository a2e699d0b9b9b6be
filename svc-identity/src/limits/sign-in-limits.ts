import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit, type AugmentedRequest, type Options } from 'express-rate-limit';
import { networkOf } from '@clinic/contracts/network';
import { passThrough, ProblemError, SharedCount, type ServiceRequest } from '@clinic/service-kit';
import type { IdentityContext } from '../settings.ts';

/**
 * Rate limits on signing in and registering, per address, and per account and network: somebody who only knows a
 * password must not use up its owner's sign-ins.
 */
export interface SignInLimits {
  /** Middleware: counts before any work is done. */
  readonly perAddress: RequestHandler;
  /** Counts for an account once it is known. @throws ProblemError rate_limited */
  countAccount(account: string, request: Pick<ServiceRequest, 'req' | 'res'>): Promise<void>;
}

const minute = 60_000;

/** Counted in the database, so that the limits hold over all replicas together. */
export function signInLimits(context: IdentityContext): SignInLimits {
  const limiter = (what: string, limit: number, keyGenerator: NonNullable<Options['keyGenerator']>): RequestHandler =>
    rateLimit({
      windowMs: minute,
      limit,
      keyGenerator,
      store: new SharedCount(context, what, limit, minute),
      standardHeaders: false,
      legacyHeaders: false,
      handler: (request, _response, next) =>
        next(
          new ProblemError('rate_limited', {
            detail: 'Too many attempts. Wait a minute, then try again.',
            retryAfter: secondsUntilReset(request),
          }),
        ),
    });
  // The limiter makes its key from the request alone, which doesn't say whose account it has proved.
  const accounts = new WeakMap<Request, string>();
  const { SIGN_INS_PER_MINUTE_AND_ACCOUNT: mostPerAccount, SIGN_INS_PER_MINUTE_AND_ADDRESS: mostPerAddress } =
    context.settings;
  const perAccount = limiter('account', mostPerAccount, (request) => accounts.get(request as Request) ?? '');
  return {
    perAddress: limiter('address', mostPerAddress, (request) => ipKeyGenerator(request.ip ?? '')),
    async countAccount(account, { req, res }) {
      accounts.set(req, `${account} ${networkOf(req.ip ?? '')}`);
      await passThrough(perAccount, req, res);
    },
  };
}

function secondsUntilReset(request: object): number {
  const reset = (request as AugmentedRequest)['rateLimit']?.resetTime;
  return reset ? Math.max(1, Math.ceil((reset.getTime() - Date.now()) / 1_000)) : minute / 1_000;
}
