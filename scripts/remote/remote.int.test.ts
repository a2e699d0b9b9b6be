import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { takeLock } from '../stack/lock.ts';

/** What the command writes for a clinic that runs so; it fails. */
async function failureOf(command: readonly string[], { watch }: { readonly watch: boolean }): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'clinic-remote-'));
  const lock = await takeLock(dataDir, 8099, watch);
  try {
    const main = join(import.meta.dirname, 'main.ts');
    // Without a database of its own, the running clinic is the one that is meant.
    const env = { ...process.env, DATA_DIR: dataDir, MONGODB_URI: '' };
    const failure = await promisify(execFile)(process.execPath, [main, ...command], { env }).then(
      ({ stdout }) => assert.fail(stdout),
      (error: { readonly code: number; readonly stderr: string }) => error,
    );
    assert.equal(failure.code, 1);
    return failure.stderr;
  } finally {
    lock.release();
    await rm(dataDir, { recursive: true, force: true });
  }
}

for (const command of [['list'], ['pin', 'mf-clinic', '1.0.0']])
  it(`says under npm run dev that no releases are kept: ${command.join(' ')}`, async () => {
    const told = await failureOf(command, { watch: true });
    assert.match(told, /^npm run dev keeps no releases: visitors of http:\/\/localhost:8099 get the last build/);
    assert.doesNotMatch(await failureOf(command, { watch: false }), /npm run dev/);
  });
