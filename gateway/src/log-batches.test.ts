import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { inBatches } from './log-batches.ts';

/** A destination that keeps what is written. */
function kept() {
  const batches: string[] = [];
  const ends: string[] = [];
  return {
    batches,
    ends,
    write: (text: string) => void batches.push(text),
    flush(done: () => void) {
      ends.push('flush');
      done();
    },
    destroy: () => void ends.push('destroy'),
  };
}

describe('log lines', () => {
  it('are written in order, as whole lines, in batches of limited size', () => {
    const output = kept();
    const log = inBatches(output, { bytes: 10, everyMs: 60_000 });
    const lines = ['one\n', 'two\n', 'three\n', 'four\n', 'a line that is longer\n', 'ä€\n', 'six.\n', '7\n'];
    for (const line of lines) log.write(line);
    log.flush(() => output.ends.push('flushed'));
    assert.deepEqual(output.batches, [
      'one\ntwo\n',
      'three\n',
      'four\n',
      'a line that is longer\n',
      'ä€\n',
      'six.\n7\n',
    ]);
    log.destroy();
    assert.deepEqual(output.ends, ['flush', 'flushed', 'destroy']);
  });

  it('are written after a while, however few there are', async () => {
    const output = kept();
    const log = inBatches(output, { bytes: 1000, everyMs: 1 });
    log.write('one\n');
    assert.deepEqual(output.batches, []);
    await waitUntil(() => output.batches.length > 0);
    assert.deepEqual(output.batches, ['one\n']);
    log.destroy();
  });

  it('are written when the process crashes', () => {
    const program = `
      import { pino } from 'pino';
      import { inBatches } from './log-batches.ts';
      const log = inBatches(pino.destination({ dest: 1, sync: false, minLength: 1 }), { bytes: 10_000, everyMs: 60_000 });
      log.write('one\\n');
      setImmediate(() => { log.write('two\\n'); throw new Error('a crash'); });`;
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    });
    assert.deepEqual([stdout, status], ['one\ntwo\n', 1]);
  });
});
