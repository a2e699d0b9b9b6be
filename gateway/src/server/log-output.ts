import type { LogDestination } from '@clinic/service-kit/log';
import { pino } from 'pino';

/** Characters that are written together. */
const batchLength = 12_000;

/** Milliseconds after which a line is written at the latest. */
const withinMs = 250;

/**
 * Standard output in batches: a write for each line would cost a tenth of a request. Lines are collected here, because pino's
 * own batches are copied and measured again with each line.
 */
export function batchedOutput(): LogDestination {
  let lines = '';
  let timer: NodeJS.Timeout | undefined;
  /** A whole batch is written at once, less by `flush` or at the exit. */
  const handOver = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const batch = lines;
    lines = '';
    if (batch !== '') output.write(batch);
  };
  const flush = (done?: () => void): void => {
    handOver();
    output.flush(done);
  };
  // For a crash. It comes before pino's own listener, which writes what it has and waits for that.
  process.once('exit', handOver);
  const output = pino.destination({ dest: 1, sync: false, minLength: batchLength });
  return {
    write(line) {
      lines += line;
      if (lines.length >= batchLength) handOver();
      else timer ??= setTimeout(flush, withinMs).unref();
    },
    flush,
    destroy() {
      process.off('exit', handOver);
      output.destroy();
    },
  };
}
