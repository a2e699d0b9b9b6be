import { log } from '../log.ts';

/** How programs name the levels of errors: the services by words, the static servers by pino's numbers. */
const errorLevels = new Set<unknown>(['error', 'fatal', 50, 60]);

interface LogLine {
  readonly level?: string | number;
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
  if (!errorLevels.has(entry.level)) return undefined;
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
  if (error !== undefined) log(`${name}: ${error}`);
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
