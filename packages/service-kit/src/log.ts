import { pino, symbols, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

/** A destination that can be written out before the process ends, see {@link writeOut}. */
export interface LogDestination extends DestinationStream {
  flush(callback: (error?: Error) => void): void;
  destroy(): void;
}

/** Milliseconds that the last lines of a log may take to be written. */
const lastLinesWithin = 500;

/**
 * Where a service's log goes: standard output, written off the request's path. Lines are not held back to fill a buffer,
 * so that an operator sees them at once.
 */
export function standardOutput(): LogDestination {
  return pino.destination({ dest: 1, sync: false, minLength: 1 });
}

/**
 * Writes what the log still holds. To be awaited before `process.exit`; a reader that is gone or stuck is not waited
 * for, where the library's synchronous flush would try again for ever and keep the process alive.
 */
export function writeOut(destination: LogDestination): Promise<void> {
  return new Promise((resolve) => {
    const givenUp = setTimeout(done, lastLinesWithin);
    function done(): void {
      clearTimeout(givenUp);
      // Destroyed, it isn't flushed once more on exit.
      destination.destroy();
      resolve();
    }
    destination.flush(done);
  });
}

/**
 * @param name - of the service, on every line
 * @param level - least level written
 */
export function createLogger(name: string, level: string, destination?: DestinationStream): Logger {
  const options = { level, base: { service: name }, formatters: { level: (label: string) => ({ level: label }) }, timestamp: pino.stdTimeFunctions.isoTime };
  return destination ? pino(options, destination) : pino(options);
}

/** The parts of a logger that pino gives access to by symbols, for code that must be cheap. */
interface LoggerParts {
  readonly [symbols.streamSym]: DestinationStream;
  /** What every line has, as JSON that begins with a comma. */
  readonly [symbols.chindingsSym]: string;
}

/**
 * Writes lines whose JSON is put together by hand, which costs a third of what the logger takes for the same.
 *
 * @returns writes a line; `fields` is JSON without the braces
 */
export function lineWriter(log: Logger): (level: 'info' | 'error', fields: string, message: string) => void {
  const { [symbols.streamSym]: stream, [symbols.chindingsSym]: everywhere } = log as unknown as LoggerParts;
  let at = 0;
  let time = '';
  return (level, fields, message) => {
    if (!log.isLevelEnabled(level)) return;
    const now = Date.now();
    // Many lines are written in the same millisecond.
    if (now !== at) time = new Date((at = now)).toISOString();
    stream.write(`{"level":"${level}","time":"${time}"${everywhere},${fields},"msg":"${message}"}\n`);
  };
}
