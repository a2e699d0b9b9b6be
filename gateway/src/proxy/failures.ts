import type { ServerResponse } from 'node:http';
import { sendProblem } from './answers.ts';
import type { GatewayRequest } from './gateway-request.ts';
import type { FailureReason } from './upstream.ts';

const details: Readonly<Partial<Record<FailureReason, (name: string) => string>>> = {
  down: (name) => `This part of the clinic (${name}) isn’t responding. Try again in a moment.`,
  busy: (name) => `This part of the clinic (${name}) is busy. Try again in a moment.`,
  slow: (name) => `This part of the clinic (${name}) is taking too long to respond. Try again in a moment.`,
};

/** Answers in place of an upstream, with a problem that names the unavailable part. @param retryAfter - seconds */
export function answerFailure(
  req: GatewayRequest,
  res: ServerResponse,
  reason: FailureReason,
  name: string,
  retryAfter: number,
): void {
  if (reason === 'too large') sendProblem(req, res, 'too_large');
  else if (reason === 'unsuitable') sendProblem(req, res, 'malformed_request');
  else sendProblem(req, res, 'unavailable', details[reason]?.(name), { 'Retry-After': String(retryAfter) });
}
