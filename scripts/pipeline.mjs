// Called by .ci/run: README's command as it stands there, then what it leaves out, as far as its time reaches: on a slow
// machine the last of it is skipped. The last line is the sum of both.
import { spawn } from 'node:child_process';
import process from 'node:process';
import { root } from './bootstrap.mjs';

/** Milliseconds that it may take, with a reserve for the end of what runs. */
const mostTime = 84 * 60_000;
const endBy = Date.now() + mostTime;

/** @type {{ passed: number, failed: number, skipped: number }[]} */
const counts = [];
let stopped = false;
for (const args of [['test'], ['test', '--', 'rest']]) if (!stopped) counts.push(await run(args));
const [passed, failed, skipped] = /** @type {const} */ (['passed', 'failed', 'skipped']).map((of) =>
  counts.reduce((sum, count) => sum + count[of], 0),
);
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed > 0 ? 1 : 0;

/**
 * Runs npm and reads its last line. A run without one, or that fails without counting a failure, counts as failed.
 *
 * @param {string[]} args
 */
function run(args) {
  console.log(`$ npm ${args.join(' ')}`);
  return new Promise((resolve, reject) => {
    const child = spawn('npm', args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      // README's command runs to its end, as a person's does.
      env: { ...process.env, ...(args.length > 1 && { CLINIC_TESTS_END_BY: String(endBy) }) },
    });
    /** @param {NodeJS.Signals} signal */
    const stop = (signal) => {
      stopped = true;
      child.kill(signal);
    };
    const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
    for (const signal of signals) process.on(signal, stop);
    let last = '';
    child.stdout.on('data', (chunk) => {
      process.stdout.write(chunk);
      last = (last + chunk).slice(-1_000);
    });
    child.on('error', reject);
    child.on('close', (code) => {
      for (const signal of signals) process.off(signal, stop);
      const [, passed = 0, failed = 0, skipped = 0] = (
        /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/.exec(last.trim().split('\n').at(-1) ?? '') ?? []
      ).map(Number);
      resolve({ passed, failed: code === 0 ? failed : Math.max(1, failed), skipped: skipped || 0 });
    });
  });
}
