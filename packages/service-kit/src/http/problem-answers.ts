import type { ErrorRequestHandler, RequestHandler } from 'express';
import { toProblem } from './error-mapping.ts';
import type { Logger } from '../observability/log.ts';
import { loggedError, reasonOf } from '../observability/logged-error.ts';
import { ProblemError, problemBody } from './problem-error.ts';
import { notesOf } from './request-scope.ts';

/** Responds with 404 at unknown addresses. */
export const unknownAddress: RequestHandler = () => {
  throw new ProblemError('not_found', { detail: 'There is nothing at this address.' });
};

/** The one place where errors become responses (RFC 9457). Causes are logged, never sent. */
export function problemAnswers(log: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const problem = toProblem(error);
    const { requestId } = notesOf(response);
    notesOf(response).problem = problem.code;
    if (problem.code === 'internal') log.error({ requestId, err: loggedError(error) }, 'unexpected error');
    else if (problem.status >= 500) log.warn({ requestId, reason: causeOf(problem) }, problem.message);

    // Part of the response has already been sent: only a broken connection shows the client that it is incomplete.
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const body = JSON.stringify(problemBody(problem, requestId));
    if (problem.extras.retryAfter !== undefined) response.setHeader('Retry-After', String(problem.extras.retryAfter));
    response.removeHeader('Link');
    response.writeHead(problem.status, {
      'Content-Type': 'application/problem+json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
      // Otherwise an unread, rejected body would still be read to its end.
      ...(problem.code === 'too_large' && { Connection: 'close' }),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
}

const causeOf = ({ cause }: ProblemError): string | undefined => (cause === undefined ? undefined : reasonOf(cause));
