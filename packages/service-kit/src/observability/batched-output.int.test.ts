import assert from 'node:assert/strict';
import { execFile, type ChildProcess } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

/** Runs a program that logs lines to standard output in batches. @returns what it wrote */
async function run(program: string, onStart?: (child: ChildProcess) => void): Promise<string[]> {
  const script = `
    import { batchedOutput, writeOut } from '${import.meta.resolve('./log.ts')}';
    const output = batchedOutput();
    const write = (count) => Array.from({ length: count }, (_, at) => output.write('line ' + at + '\\n'));
    ${program}`;
  const args = ['--input-type=module', '--eval', script];
  const ended = promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname });
  onStart?.(ended.child);
  const { stdout } = await ended.catch((error: unknown) => error as { readonly stdout: string });
  return stdout.split('\n').slice(0, -1);
}

const written = (count: number): string[] => Array.from({ length: count }, (_, at) => `line ${at}`);

test('no line is lost when the program stops, and none that waits when it exits or crashes', async () => {
  const stop = 'await writeOut(output); process.exit(0)';
  assert.deepEqual(await run(`write(5_000); ${stop}`), written(5_000));
  for (const end of [stop, 'process.exit(1)', "throw new Error('crash')", ''])
    assert.deepEqual(await run(`write(3); ${end}`), written(3), end);
});

test('a line is written in a moment, also when no other follows', { timeout: 60_000 }, async () => {
  // Killed, it can't write anything at its end.
  const killOnceItWrote = (child: ChildProcess) => child.stdout?.once('data', () => child.kill('SIGKILL'));
  assert.deepEqual(await run('write(1); setInterval(() => undefined, 60_000)', killOnceItWrote), written(1));
});
