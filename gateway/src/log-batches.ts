import type { LogDestination } from '@clinic/service-kit/log';

export interface BatchOptions {
  /** Bytes of a batch; once it is full, it is written at once. */
  readonly bytes: number;
  /** Milliseconds after which lines are written, however few there are. */
  readonly everyMs: number;
}

/**
 * Writes log lines in batches of whole lines. A write costs as much as a few requests, and the library's own buffer
 * copies its whole content with every line.
 */
export function inBatches(output: LogDestination, { bytes: most, everyMs }: BatchOptions): LogDestination {
  let batch = '';
  let bytes = 0;
  const pass = (): void => {
    if (bytes === 0) return;
    const text = batch;
    batch = '';
    bytes = 0;
    output.write(text);
  };
  const timer = setInterval(pass, everyMs).unref();
  // Runs before the library's own listener, which flushes when the process exits, also after a crash.
  process.prependListener('exit', pass);
  return {
    write(line) {
      const length = Buffer.byteLength(line);
      if (bytes + length > most) pass();
      batch += line;
      bytes += length;
    },
    flush(done) {
      pass();
      output.flush(done);
    },
    destroy() {
      clearInterval(timer);
      process.off('exit', pass);
      output.destroy();
    },
  };
}
