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
  const output = pino.destination({ dest: 1, sync: false });
  let lines = '';
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const writeLines = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (lines !== '' && !isClosed) output.write(lines);
    lines = '';
  };
  // A crash mustn't lose the lines that explain it.
  process.once('exit', () => {
    writeLines();
    if (!isClosed) output.flushSync();
  });
  return {
    write(line) {
      lines += line;
      if (lines.length >= batchLength) writeLines();
      else timer ??= setTimeout(writeLines, withinMs).unref();
    },
    flush(done) {
      writeLines();
      output.flush(done);
    },
    destroy() {
      isClosed = true;
      output.destroy();
    },
  };
}
