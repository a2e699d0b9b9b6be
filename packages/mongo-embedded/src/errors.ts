/** Names of the MongoDB error codes that this engine answers with. */
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
  225: 'TransactionTooOld',
  239: 'SnapshotTooOld',
  251: 'NoSuchTransaction',
  256: 'TransactionCommitted',
  263: 'OperationNotSupportedInTransaction',
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

/** An error that is answered to the client with MongoDB's own code. */
export class CommandError extends Error {
  readonly code: number;
  readonly labels: string[];
  /** Further fields of the answer, such as keyPattern and keyValue of a duplicate key. */
  readonly details: Record<string, unknown>;

  constructor(code: number, message: string, options: { labels?: string[]; details?: Record<string, unknown> } = {}) {
    super(message);
    this.code = code;
    this.labels = options.labels ?? [];
    this.details = options.details ?? {};
  }
}

/** A client's message breaks the wire protocol: its connection is closed, nothing else. */
export class MalformedMessage extends Error {}

/**
 * The refusal of anything outside the profile: never an approximation, always this.
 * @param part what is not supported, in MongoDB's own words
 * @param code MongoDB's code for it: 115 unless MongoDB has a more exact one
 */
export function outsideProfile(part: string, code = 115): CommandError {
  return new CommandError(code, `${part} is outside the profile of the embedded database; use a real MongoDB (MONGODB_URI) for it`);
}

/** Two transactions want the same document or unique key; the driver runs the later one again. */
export function writeConflict(): CommandError {
  return new CommandError(112, 'Write conflict during plan execution and yielding is disabled. Please retry your operation or multi-document transaction.', {
    labels: ['TransientTransactionError'],
  });
}
