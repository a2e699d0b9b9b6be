import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';
import { newNotes, type RequestNotes } from '../http/request-scope.ts';
import type { Tracing } from './tracing.ts';

const requestIds = /^[\w.:-]{1,128}$/;

/**
 * Gives every request its id and its notes and, when it ends, writes one log line, updates the metrics and ends the
 * span. None of these contain bodies or cookies.
 *
 * @param loggedAddress - redacts a request's address for the log
 * @returns starts a request
 */
export function requestLog(
  log: Logger,
  metrics: Metrics,
  tracing: Tracing | undefined,
  loggedAddress: (address: string) => string,
): (request: Request, response: Response) => RequestNotes {
  return (request, response) => {
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && requestIds.test(given) ? given : randomUUID();
    const notes = newNotes(requestId, performance.now(), tracing?.serve(request.method, request.headers));
    response.locals['notes'] = notes;
    response.setHeader('X-Request-Id', notes.requestId);
    metrics.requestBegan();
    response.once('close', () => {
      const ms = performance.now() - notes.began;
      const { statusCode: status, writableFinished } = response;
      const address = loggedAddress(request.originalUrl);
      metrics.requestDone(notes, request.method, status, ms / 1_000);
      const { requestId, call, caller, problem, replayed, commands, databaseMs, span } = notes;
      const line = {
        requestId,
        trace: span?.traceId,
        call,
        caller,
        problem,
        method: request.method,
        url: address,
        status,
        ms: tenths(ms),
        ...(commands > 0 && { commands, databaseMs: tenths(databaseMs) }),
        ...(replayed && { replayed }),
        ...(!writableFinished && { aborted: true }),
      };
      log[status >= 500 ? 'error' : 'info'](line, 'request');
      endSpan(notes, request.method, address, status);
    });
    return notes;
  };
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function endSpan(
  { span, requestId, call, problem }: RequestNotes,
  method: string,
  address: string,
  status: number,
): void {
  if (!span) return;
  const [path = ''] = address.split('?', 1);
  span.end(call === undefined ? method : `${method} ${call}`, status, {
    'url.path': path,
    'clinic.request_id': requestId,
    ...(call !== undefined && { 'clinic.call': call }),
    ...(problem !== undefined && { 'error.type': problem }),
  });
}
