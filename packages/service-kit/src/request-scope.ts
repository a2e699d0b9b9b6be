import { AsyncLocalStorage } from 'node:async_hooks';
import type { Response } from 'express';
import type { ServerSpan } from './tracing.ts';

/** What the pipeline notes about a request, for its log line, its figures and its trace. */
export interface RequestNotes {
  readonly requestId: string;
  /** Milliseconds on `performance.now()`'s clock. */
  readonly began: number;
  /** Id of the call, once it is known. */
  call: string | undefined;
  /** `_id` of the caller, once it is known. */
  caller: string | undefined;
  problem: string | undefined;
  /** Whether the answer is the first one to the same `Idempotency-Key`. */
  replayed: boolean;
  /** Commands sent to the database, and milliseconds that they took together. */
  commands: number;
  databaseMs: number;
  /** What was asked of the database, e.g. `find orders`, for the line about a slow command. */
  operations: string[] | undefined;
  readonly span: ServerSpan | undefined;
}

/** The request that the code runs for, from its first line to the database's driver. */
export const requestScope = new AsyncLocalStorage<RequestNotes>();

/** The notes of the request that this response answers. */
export function notesOf(response: Response): RequestNotes {
  return response.locals['notes'] as RequestNotes;
}
