/** An error in a form that is safe to log. */
export interface LoggedError {
  readonly type: string;
  /** Left out if it may quote user input or stored data. */
  readonly message?: string;
  readonly code?: string | number;
  /** Where it was thrown: stack frames without the message that stacks begin with. */
  readonly stack?: readonly string[];
  readonly cause?: LoggedError;
}

/**
 * Error types whose messages are only about code. Others quote data: parsers quote the text, the database quotes keys
 * and documents.
 */
const namesOfCodeErrors = new Set(['Error', 'TypeError', 'ReferenceError', 'RangeError', 'AssertionError']);

/** Depth of the chain of causes to follow. */
const deepest = 3;

/** @param error - anything thrown @returns what an operator needs to find the defect, without personal data */
export function loggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack = '', cause } = error;
  const { code } = error as { readonly code?: unknown };
  const frames = stack
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^at .*:\d+:\d+\)?$/.test(line));
  return {
    type: name,
    ...(namesOfCodeErrors.has(name) && { message }),
    ...((typeof code === 'number' || (typeof code === 'string' && /^\w{1,40}$/.test(code))) && { code }),
    ...(frames.length > 0 && { stack: frames }),
    ...(cause !== undefined && depth < deepest && { cause: loggedError(cause, depth + 1) }),
  };
}

/**
 * Why work that uses the network failed: an error's message, with that of its cause, as `fetch` says only that it failed. Not for
 * errors that may quote people's data ({@link loggedError}).
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message ? `${error.message}: ${cause.message}` : error.message;
}
