import { networkOf } from '@clinic/contracts/network';
import { ProblemError, SharedCount } from '@clinic/service-kit';
import { rateLimit } from 'express-rate-limit';
import type { MessagesContext } from '../settings.ts';

const minute = 60_000;

/**
 * Maximum requests with wrong tokens per network and minute, over all replicas together, so that guessing is hopeless.
 */
const mostFailures = 60;

/** Limits how many wrong links a network can try. */
export function linkGuards(context: MessagesContext) {
  const guard = rateLimit({
    windowMs: minute,
    limit: mostFailures,
    skipSuccessfulRequests: true,
    store: new SharedCount(context, 'wrong links', mostFailures, minute),
    keyGenerator: (request) => networkOf(request.ip ?? ''),
    // It asks for the library's own networks, /56.
    validate: { keyGeneratorIpFallback: false },
    standardHeaders: false,
    legacyHeaders: false,
    handler: (_request, _response, next) =>
      next(
        new ProblemError('rate_limited', {
          detail: 'Too many wrong attempts. Try again later.',
          retryAfter: minute / 1_000,
        }),
      ),
  });
  return {
    readMessageAction: [guard],
    takeMessageAction: [guard],
    readUnsubscription: [guard],
    unsubscribe: [guard],
    noteBounce: [guard],
  };
}
