import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit, type Options } from 'express-rate-limit';
import { passThrough, ProblemError, type ServiceRequest } from '@clinic/service-kit';
import type { IdentityContext } from './settings.ts';

/** How often one address and one account may try to sign in or register. */
export interface SignInLimits {
  /** Stands in front of the calls: counts before any work is done. */
  readonly perAddress: RequestHandler;
  /** Counts for an account once it is known. @throws ProblemError rate_limited */
  countAccount(account: string, request: Pick<ServiceRequest, 'req' | 'res'>): Promise<void>;
}

/** Counted in memory, by each replica for itself: `n` replicas together allow up to `n` times as many. */
export function signInLimits({ settings }: IdentityContext): SignInLimits {
  const limiter = (limit: number, keyGenerator: NonNullable<Options['keyGenerator']>): RequestHandler =>
    rateLimit({
      windowMs: 60_000,
      limit,
      keyGenerator,
      standardHeaders: false,
      legacyHeaders: false,
      handler: (_request, _response, next) => next(new ProblemError('rate_limited', { detail: 'Too many tries. Please wait a minute.', retryAfter: 60 })),
    });
  const accounts = new WeakMap<Request, string>();
  const perAccount = limiter(settings.SIGN_INS_PER_MINUTE_AND_ACCOUNT, (request) => accounts.get(request as Request) ?? '');
  return {
    perAddress: limiter(settings.SIGN_INS_PER_MINUTE_AND_ADDRESS, (request) => ipKeyGenerator(request.ip ?? '')),
    async countAccount(account, { req, res }) {
      accounts.set(req, account);
      await passThrough(perAccount, req, res);
    },
  };
}
