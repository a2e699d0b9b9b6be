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

/** Further types whose messages are about connections, and problems, whose texts are ours. */
const namesOfOutages =
  /^(AbortError|TimeoutError|ProblemError|Mongo\w*(Network|Selection|Connected|Closed|Cleared|Timeout)\w*)$/;

/**
 * Why work failed, in one line: an error's message, with that of its cause, as `fetch` says only that it failed; of errors
 * that may quote people's data only type and code.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { cause } = error;
  const own = lineOf(error);
  return cause instanceof Error && cause.message ? `${own}: ${lineOf(cause)}` : own;
}

function lineOf(error: Error): string {
  const { type, message, code } = loggedError(error);
  if (namesOfOutages.test(type)) return error.message;
  return message ?? (code === undefined ? type : `${type} ${code}`);
}
