import { say } from '../say.ts';

/** pino's level of errors. */
const errorLevel = 50;

interface LogLine {
  readonly level?: number;
  readonly msg?: string;
  readonly requestId?: string;
  readonly err?: { readonly stack?: string; readonly message?: string };
}

/**
 * An error in a program's log, for a developer's terminal.
 *
 * @param line - a log line in JSON, or what Node itself prints when it crashes
 * @returns `undefined` if the line is no error
 */
export function errorIn(line: string): string | undefined {
  const entry = parsed(line);
  if (!entry) return line.trim() === '' ? undefined : line;
  if ((entry.level ?? 0) < errorLevel) return undefined;
  const { msg = 'error', requestId, err } = entry;
  const detail = err?.stack ?? err?.message;
  return [
    `${msg}${requestId === undefined ? '' : ` (request ${requestId})`}`,
    ...(detail === undefined ? [] : [detail]),
  ].join('\n');
}

/** Prints the errors of a program's log. */
export function showError(name: string, line: string): void {
  const error = errorIn(line);
  if (error !== undefined) say(`${name}: ${error}`);
}

function parsed(line: string): LogLine | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    // Not a log line.
    return undefined;
  }
}
