import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

/** A log destination that can be flushed before the process exits, see {@link writeOut}. */
export interface LogDestination extends DestinationStream {
  flush(callback: (error?: Error) => void): void;
  destroy(): void;
}

/** Milliseconds to wait for the last log lines to be written. */
const lastLinesWithin = 500;

/** Logs to standard output, asynchronously. Lines aren't buffered, so that an operator sees them at once. */
export function standardOutput(): LogDestination {
  return pino.destination({ dest: 1, sync: false, minLength: 1 });
}

/** Standard output in batches, at most a quarter of a second late: a write for each line would cost a gateway a tenth of a request. */
export function batchedOutput(): LogDestination {
  return pino.destination({ dest: 1, sync: false, minLength: 12_000, periodicFlush: 250 });
}

/**
 * Flushes the log. Await it before `process.exit`. It doesn't wait for a reader that has exited or hangs; the library's
 * synchronous flush would retry for ever and keep the process alive.
 */
export function writeOut(destination: LogDestination): Promise<void> {
  return new Promise((resolve) => {
    const givenUp = setTimeout(done, lastLinesWithin);
    function done(): void {
      clearTimeout(givenUp);
      // Once destroyed, it isn't flushed again on exit.
      destination.destroy();
      resolve();
    }
    // During a write, a flush doesn't write what has come since.
    destination.flush(() => destination.flush(done));
  });
}

/**
 * @param name - of the service, on every line
 * @param level - lowest level written
 * @param commit - that the program was built from, on every line
 */
export function createLogger(name: string, level: string, destination?: DestinationStream, commit?: string): Logger {
  const options = {
    level,
    base: { service: name, ...(commit !== undefined && { commit }) },
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  return destination ? pino(options, destination) : pino(options);
}
