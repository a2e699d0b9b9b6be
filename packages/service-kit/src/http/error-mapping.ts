import { MongoError, MongoNetworkError, MongoServerError } from 'mongodb';
import { ProblemError } from './problem-error.ts';

/** `Retry-After` in seconds while a dependency is unavailable. */
const retryAfter = 2;

/** Driver errors that mean the database is unreachable or can't respond now. */
const unavailableErrors = new Set([
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

/** Server error codes that mean the same: stepping down, shutting down, no primary, time limit exceeded, disk full. */
const unavailableCodes = new Set([6, 7, 50, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436, 14031]);

/** Socket errors of a lost connection; the driver passes some of them on unchanged. */
const socketCodes = new Set([
  'EPIPE',
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ERR_SOCKET_CLOSED',
]);

/** Whether the database is unavailable, so that a retry may succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof MongoError))
    return error instanceof Error && socketCodes.has(String((error as NodeJS.ErrnoException).code));
  // Some network errors have their own name, such as a connection dropped because the server monitor timed out.
  if (error instanceof MongoNetworkError || unavailableErrors.has(error.name)) return true;
  // A bulk write's own error isn't a network error, but wraps one.
  const broken: unknown = error instanceof MongoServerError ? error.errorResponse : undefined;
  if (broken instanceof MongoError) return isDatabaseUnavailable(broken);
  if (error instanceof MongoServerError && typeof error.code === 'number' && unavailableCodes.has(error.code))
    return true;
  return error.hasErrorLabel('TransientTransactionError') || error.hasErrorLabel('UnknownTransactionCommitResult');
}

/** Whether a unique index rejected a write. */
export function isDuplicateKey(error: unknown): error is MongoServerError {
  return error instanceof MongoServerError && error.code === 11000;
}

interface HttpError {
  readonly type?: unknown;
  readonly status?: unknown;
  /** Size limit in bytes. */
  readonly limit?: number;
}

/**
 * Maps whatever was thrown to the problem sent to the client. Unexpected errors become `internal`, without details.
 *
 * @param error - anything thrown while handling a request
 */
export function toProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  // Checked first: an aborted request is the client's doing, whatever the socket error says.
  if (error instanceof Error && (error as HttpError).type === 'request.aborted')
    return new ProblemError('malformed_request', { cause: error });
  if (isDatabaseUnavailable(error))
    return new ProblemError('unavailable', {
      detail: 'We can’t reach our records right now. Try again in a moment.',
      retryAfter,
      cause: error,
    });
  if (isDuplicateKey(error)) return new ProblemError('duplicate', { cause: error });
  if (error instanceof Error) {
    const { type, status, limit } = error as HttpError;
    if (type === 'entity.too.large')
      return new ProblemError('too_large', {
        detail: `This request can have at most ${Math.floor((limit ?? 0) / 1_024)} KB.`,
        cause: error,
      });
    if (type === 'encoding.unsupported' || type === 'charset.unsupported')
      return new ProblemError('unsupported_media_type', { cause: error });
    if (type === 'entity.parse.failed')
      return new ProblemError('malformed_request', { detail: 'The body is not valid JSON.', cause: error });
    // The body parser and the router mark client errors with a 4xx status.
    if (typeof status === 'number' && status >= 400 && status < 500)
      return new ProblemError('malformed_request', { cause: error });
  }
  return new ProblemError('internal', { cause: error });
}

/** The problem for a temporarily unavailable dependency. */
export function unavailable(detail: string, cause?: unknown): ProblemError {
  return new ProblemError('unavailable', { detail, retryAfter, cause });
}
