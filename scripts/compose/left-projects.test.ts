import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { holdPort } from '@clinic/service-kit/testing/hold-port';
import { removeLeftProjects } from './left-projects.ts';

test('the containers of tests that have ended are removed, not those of running ones or of others', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'left-projects-'));
  const path = process.env['PATH'] ?? '';
  t.after(() => {
    process.env['PATH'] = path;
    rmSync(folder, { recursive: true });
  });
  const held = await holdPort();
  const names = ['clinic-test-19001', 'clinic-test-19001', 'clinic-test-19001-trial', `clinic-test-${held}`, 'clinic'];
  const script = `case $1 in ps) printf '%s\\n' ${names.join(' ')};; *) echo "$3" >> ${join(folder, 'removed')};; esac`;
  writeFileSync(join(folder, 'docker'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  process.env['PATH'] = `${folder}${delimiter}${path}`;
  await removeLeftProjects();
  assert.equal(readFileSync(join(folder, 'removed'), 'utf8'), 'clinic-test-19001\nclinic-test-19001-trial\n');
});
