import { AsyncLocalStorage } from 'node:async_hooks';
import type { Response } from 'express';
import type { ServerSpan } from '../observability/tracing.ts';

/** Collected during a request for its log line, metrics and trace. */
export interface RequestNotes {
  readonly requestId: string;
  /** Milliseconds on the clock of `performance.now()`. */
  readonly began: number;
  /** Id of the call, once known. */
  call: string | undefined;
  /** `_id` of the caller, once known. */
  caller: string | undefined;
  problem: string | undefined;
  /** Whether this is a stored response for a repeated `Idempotency-Key`. */
  replayed: boolean;
  /** Number of database commands, and their total milliseconds. */
  commands: number;
  databaseMs: number;
  /** Database operations, e.g. `find orders`, for the log line of a slow command. */
  operations: string[] | undefined;
  readonly span: ServerSpan | undefined;
}

/** The current request, from the first handler down to the database driver. */
export const requestScope = new AsyncLocalStorage<RequestNotes>();

/** The notes of a request that begins. */
export function newNotes(requestId: string, began: number, span?: ServerSpan, call?: string): RequestNotes {
  return {
    requestId,
    began,
    call,
    caller: undefined,
    problem: undefined,
    replayed: false,
    commands: 0,
    databaseMs: 0,
    operations: undefined,
    span,
  };
}

/** Commands of change streams: they wait for the next change, so their duration means nothing. */
export const waitingForChanges = newNotes('changes', 0, undefined, 'change stream');

/** The notes of the request that this response belongs to. */
export function notesOf(response: Response): RequestNotes {
  return response.locals['notes'] as RequestNotes;
}
