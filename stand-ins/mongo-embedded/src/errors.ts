/** Names of the MongoDB error codes that this engine uses. */
const CODE_NAMES: Record<number, string> = {
  1: 'InternalError',
  2: 'BadValue',
  9: 'FailedToParse',
  14: 'TypeMismatch',
  15: 'Overflow',
  20: 'IllegalOperation',
  26: 'NamespaceNotFound',
  27: 'IndexNotFound',
  28: 'PathNotViable',
  40: 'ConflictingUpdateOperators',
  43: 'CursorNotFound',
  48: 'NamespaceExists',
  50: 'MaxTimeMSExpired',
  52: 'DollarPrefixedFieldName',
  54: 'NotSingleValueField',
  56: 'EmptyFieldName',
  59: 'CommandNotFound',
  66: 'ImmutableField',
  67: 'CannotCreateIndex',
  72: 'InvalidOptions',
  73: 'InvalidNamespace',
  85: 'IndexOptionsConflict',
  86: 'IndexKeySpecsConflict',
  91: 'ShutdownInProgress',
  112: 'WriteConflict',
  115: 'CommandNotSupported',
  117: 'ConflictingOperationInProgress',
  171: 'CannotIndexParallelArrays',
  197: 'InvalidIndexSpecificationOption',
  225: 'TransactionTooOld',
  239: 'SnapshotTooOld',
  251: 'NoSuchTransaction',
  256: 'TransactionCommitted',
  260: 'InvalidResumeToken',
  263: 'OperationNotSupportedInTransaction',
  280: 'ChangeStreamFatalError',
  286: 'ChangeStreamHistoryLost',
  291: 'NoQueryExecutionPlans',
  292: 'QueryExceededMemoryLimitNoDiskUseAllowed',
  10334: 'BSONObjectTooLarge',
  11000: 'DuplicateKey',
  14031: 'OutOfDiskSpace',
};

/**
 * The name MongoDB gives to an error code; codes without one are `Location<code>`.
 * @param code MongoDB error code
 */
export function codeName(code: number): string {
  return CODE_NAMES[code] ?? `Location${code}`;
}

/** An error that is sent to the client with MongoDB's own code. */
export class CommandError extends Error {
  readonly code: number;
  readonly labels: string[];
  /** Additional fields of the reply, such as keyPattern and keyValue of a duplicate key. */
  readonly details: Record<string, unknown>;

  constructor(code: number, message: string, options: { labels?: string[]; details?: Record<string, unknown> } = {}) {
    super(message);
    this.code = code;
    this.labels = options.labels ?? [];
    this.details = options.details ?? {};
  }
}

/** A client's message violates the wire protocol; only its connection is closed. */
export class MalformedMessage extends Error {}

/**
 * The error for anything outside the profile, which is never approximated.
 * @param part what is not supported, in MongoDB's own terms
 * @param code MongoDB's code for it: 115 unless MongoDB has a more specific one
 */
export function outsideProfile(part: string, code = 115): CommandError {
  return new CommandError(
    code,
    `${part} is outside the profile of the embedded database; use a real MongoDB (MONGODB_URI) for it`,
  );
}

/** Two transactions conflict over a document or unique key; the driver retries the later one. */
export function writeConflict(): CommandError {
  return new CommandError(
    112,
    'Write conflict during plan execution and yielding is disabled. Please retry your operation or multi-document transaction.',
    {
      labels: ['TransientTransactionError'],
    },
  );
}
