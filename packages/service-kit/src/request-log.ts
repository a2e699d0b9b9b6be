import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import { redactUrl, type Logger } from './log.ts';
import type { Metrics } from './metrics.ts';

/** What the pipeline notes about a request for its log line. */
export interface RequestNotes {
  requestId: string;
  /** Id of the call, once it is known. */
  call?: string;
  /** `_id` of the caller, once it is known. */
  caller?: string;
  problem?: string;
}

/** The notes of the request that this response answers. */
export function notesOf(response: Response): RequestNotes {
  return response.locals['notes'] as RequestNotes;
}

/** Gives every request its id and, when it is over, one log line and one observation; neither sees bodies or cookies. */
export function requestLog(log: Logger, metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const began = performance.now();
    const given = request.headers['x-request-id'];
    const notes: RequestNotes = { requestId: typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID() };
    response.locals['notes'] = notes;
    response.setHeader('X-Request-Id', notes.requestId);
    response.once('close', () => {
      const milliseconds = performance.now() - began;
      const status = response.statusCode;
      metrics.observe(notes.call ?? 'none', request.method, status, milliseconds / 1_000);
      const line = {
        ...notes, method: request.method, url: redactUrl(request.originalUrl), status, ms: Math.round(milliseconds * 10) / 10,
        ...(!response.writableFinished && { aborted: true }),
      };
      if (status >= 500) log.error(line, 'request');
      else log.info(line, 'request');
    });
    next();
  };
}
