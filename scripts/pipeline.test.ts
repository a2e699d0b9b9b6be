import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, test } from 'node:test';
import { root } from './stack/settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'pipeline-'));
after(() => rmSync(folder, { recursive: true }));
const asked = join(folder, 'asked');

/** Puts an npm in front that notes how it is called, and whether it has to end in time. @param script - what it does; `$*` has its arguments */
function pipelineWith(script: string) {
  writeFileSync(
    join(folder, 'npm'),
    `#!/bin/sh\necho "$*\${CLINIC_TESTS_END_BY:+, in time}" >> ${asked}\n${script}\n`,
    { mode: 0o755 },
  );
  writeFileSync(asked, '');
  return { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` };
}

function run(script: string) {
  const env = pipelineWith(script);
  const { status, stdout } = spawnSync(join(root, '.ci/run'), { env, encoding: 'utf8' });
  return { status, last: stdout.trim().split('\n').at(-1), asked: readFileSync(asked, 'utf8').trim().split('\n') };
}

test('the pipeline runs README’s command to its end, then the rest as far as time reaches, and ends with the sum', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  assert.match(readme, /^## Test\n\n {4}npm test\n/m);
  const {
    status,
    last,
    asked: calls,
  } = run(
    'if [ "$*" = test ]; then echo "unit: 1 passed, 0 failed"; echo "5 passed, 0 failed, 2 skipped"; else echo "3 passed, 0 failed"; fi',
  );
  assert.deepEqual([status, last, calls], [0, '8 passed, 0 failed, 2 skipped', ['test', 'test -- rest, in time']]);
});

test('it fails if either run fails, also one without a count', () => {
  const first = run('if [ "$*" = test ]; then echo "5 passed, 2 failed"; exit 1; else echo "3 passed, 0 failed"; fi');
  assert.deepEqual([first.status, first.last], [1, '8 passed, 2 failed']);
  const second = run('if [ "$*" = test ]; then echo "5 passed, 0 failed"; else echo "killed"; exit 137; fi');
  assert.deepEqual([second.status, second.last], [1, '5 passed, 1 failed']);
});

test('SIGTERM stops the run, and the rest doesn’t begin', async () => {
  const env = pipelineWith('echo begun; exec sleep 600');
  const child = spawn(join(root, '.ci/run'), { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    if (output.includes('begun') && !child.killed) child.kill('SIGTERM');
  }
  assert.deepEqual(await exited, [1, null]);
  assert.equal(readFileSync(asked, 'utf8'), 'test\n');
});
