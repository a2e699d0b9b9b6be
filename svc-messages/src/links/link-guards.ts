import { ProblemError } from '@clinic/service-kit';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';

const minute = 60_000;

/** Requests with wrong tokens per network and minute, in each process: nobody gets anywhere by trying them. */
const mostFailures = 60;

/** Limits how many wrong links a network can try. */
export function linkGuards() {
  const guard = rateLimit({
    windowMs: minute,
    limit: mostFailures,
    skipSuccessfulRequests: true,
    keyGenerator: (request) => ipKeyGenerator(request.ip ?? ''),
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
