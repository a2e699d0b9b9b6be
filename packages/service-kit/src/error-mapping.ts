import { MongoError, MongoNetworkError, MongoServerError } from 'mongodb';
import { ProblemError } from './problem-error.ts';

/** Seconds that clients are told to wait when a part is away. */
const retryAfter = 2;

/** Driver errors that mean: the database can't be reached or can't answer now. */
const awayErrors = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoServerClosedError',
  'MongoClientClosedError',
  'MongoPoolClosedError',
  'MongoPoolClearedError',
  'MongoWaitQueueTimeoutError',
  'MongoOperationTimeoutError',
  'MongoExpiredSessionError',
]);

/** Server error codes that mean the same: stepping down, shutting down, no primary, time over, no space on the disk. */
const awayCodes = new Set([6, 7, 50, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436, 14031]);

/** What a socket says when the other side went away; the driver passes some of these on as they are. */
const socketCodes = new Set(['EPIPE', 'ECONNRESET', 'ECONNREFUSED', 'ECONNABORTED', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'ERR_SOCKET_CLOSED']);

/** Whether the database is away, so that a repeat may succeed. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof MongoError)) return error instanceof Error && socketCodes.has(String((error as NodeJS.ErrnoException).code));
  // Kinds of network error have names of their own, such as that of a connection cut because the server's monitor gave up.
  if (error instanceof MongoNetworkError || awayErrors.has(error.name)) return true;
  // A write of many wraps what broke it off, and is no network error itself.
  const broken: unknown = error instanceof MongoServerError ? error.errorResponse : undefined;
  if (broken instanceof MongoError) return isDatabaseAway(broken);
  if (error instanceof MongoServerError && typeof error.code === 'number' && awayCodes.has(error.code)) return true;
  return error.hasErrorLabel('TransientTransactionError') || error.hasErrorLabel('UnknownTransactionCommitResult');
}

/** Whether a unique index refused a write. */
export function isDuplicateKey(error: unknown): error is MongoServerError {
  return error instanceof MongoServerError && error.code === 11000;
}

interface HttpError {
  readonly type?: unknown;
  readonly status?: unknown;
  /** Most bytes that were allowed. */
  readonly limit?: number;
}

/**
 * Turns whatever was thrown into the problem that the client gets. Unexpected errors become `internal`, without details.
 *
 * @param error - anything thrown while a request was handled
 */
export function toProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  // Before anything else: a request that broke off is the client's doing, whatever its socket says.
  if (error instanceof Error && (error as HttpError).type === 'request.aborted') return new ProblemError('malformed_request', { cause: error });
  if (isDatabaseAway(error)) return new ProblemError('unavailable', { detail: 'The data is out of reach. Please try again in a moment.', retryAfter, cause: error });
  if (isDuplicateKey(error)) return new ProblemError('duplicate', { cause: error });
  if (error instanceof Error) {
    const { type, status, limit } = error as HttpError;
    if (type === 'entity.too.large') return new ProblemError('too_large', { detail: `A request like this has at most ${Math.floor((limit ?? 0) / 1_024)} KB.`, cause: error });
    if (type === 'encoding.unsupported' || type === 'charset.unsupported') return new ProblemError('unsupported_media_type', { cause: error });
    if (type === 'entity.parse.failed') return new ProblemError('malformed_request', { detail: 'The body is not valid JSON.', cause: error });
    // The body parser and the router mark what the client did wrong with a 4xx status.
    if (typeof status === 'number' && status >= 400 && status < 500) return new ProblemError('malformed_request', { cause: error });
  }
  return new ProblemError('internal', { cause: error });
}

/** The problem for a part that is away for a moment. */
export function unavailable(detail: string, cause?: unknown): ProblemError {
  return new ProblemError('unavailable', { detail, retryAfter, cause });
}
