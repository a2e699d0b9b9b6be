/** An error as the log may keep it. */
export interface LoggedError {
  readonly type: string;
  /** Left out where it may quote what a person typed or what is stored. */
  readonly message?: string;
  readonly code?: string | number;
  /** Where it was thrown: lines of code, without the message that stacks begin with. */
  readonly stack?: readonly string[];
  readonly cause?: LoggedError;
}

/**
 * Kinds of error whose messages speak of code alone. Others quote data: parsers quote the text, the database quotes keys
 * and documents.
 */
const speakOfCode = new Set(['Error', 'TypeError', 'ReferenceError', 'RangeError', 'AssertionError']);

/** Causes of causes that are followed. */
const deepest = 3;

/** @param error - anything thrown @returns what an operator needs to find the defect, without anybody's data */
export function loggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack = '', cause } = error;
  const { code } = error as { readonly code?: unknown };
  const frames = stack.split('\n').map((line) => line.trim()).filter((line) => /^at .*:\d+:\d+\)?$/.test(line));
  return {
    type: name,
    ...(speakOfCode.has(name) && { message }),
    ...((typeof code === 'number' || (typeof code === 'string' && /^\w{1,40}$/.test(code))) && { code }),
    ...(frames.length > 0 && { stack: frames }),
    ...(cause !== undefined && depth < deepest && { cause: loggedError(cause, depth + 1) }),
  };
}
