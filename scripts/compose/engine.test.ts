import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { startEngine } from './engine.ts';

/**
 * Puts programs named as Docker's before the others on PATH: the engine panics while it has a list of networks, and runs until it is
 * stopped without.
 *
 * @returns the folder of its files
 */
function standIns(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-engine-'));
  const path = process.env['PATH'];
  t.after(() => {
    process.env['PATH'] = path;
    rmSync(folder, { recursive: true });
  });
  process.env['PATH'] = `${folder}:${path}`;
  mkdirSync(join(folder, 'data/network/files'), { recursive: true });
  const script = (name: string, text: string): void => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  script('docker', `[ -e ${folder}/runs ]`);
  script(
    'dockerd',
    `if [ -e ${folder}/data/network/files ]; then echo 'panic: page 4 already freed'; echo 'goroutine 1'; exit 2; fi
touch ${folder}/runs
trap 'rm ${folder}/runs; exit 0' TERM
while :; do sleep 0.1; done`,
  );
  return folder;
}

test('an engine that panics over its list of networks is started without it, and the list is kept', async (t) => {
  const folder = standIns(t);
  const engine = await startEngine(join(folder, 'data'));
  assert.ok(!('missing' in engine), 'missing' in engine ? engine.missing : '');
  assert.ok(existsSync(join(folder, 'runs')));
  await engine.release();
  assert.match(readdirSync(join(folder, 'data/network')).join(), /^files-\d+$/);
  assert.ok(!existsSync(join(folder, 'runs')));
});

test('an engine that panics for another reason is not tried again', async (t) => {
  const folder = standIns(t);
  const engine = await startEngine(join(folder, 'another'));
  assert.deepEqual(engine, { missing: "the Docker engine can't be started here: panic: page 4 already freed" });
});
