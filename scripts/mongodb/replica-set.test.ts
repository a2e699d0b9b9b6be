import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { root } from '../stack/settings.ts';

/** Runs the command where `docker` answers like this script. */
function testMongodb(docker: string): { readonly status: number | null; readonly output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-docker-'));
  try {
    writeFileSync(join(folder, 'docker'), `#!/bin/sh\n${docker}\n`);
    chmodSync(join(folder, 'docker'), 0o755);
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts')], {
      encoding: 'utf8',
      env: { ...process.env, MONGO_IMAGE: 'mongo:8.0', PATH: `${folder}:${process.env['PATH']}` },
    });
    return { status, output: stdout + stderr };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('without an engine, Compose or the image, the tests on MongoDB fail at once with one line that says so', () => {
  for (const [docker, missing] of [
    ['exit 1', 'no Docker engine answers (docker info)'],
    ['[ "$1" = info ]', 'Docker has no Compose 2'],
    ['[ "$1" = info ] || [ "$1" = compose ]', 'the image mongo:8.0 is not here and can’t be pulled'],
  ] as const)
    assert.deepEqual(testMongodb(docker), { status: 1, output: `MongoDB is not tested here: ${missing}.\n` });
});

test('the replica set of the tests has three members, which want a password and TLS', () => {
  const file = parse(readFileSync(join(root, 'docker/tests/mongodb.yml'), 'utf8'), { merge: true }) as {
    readonly services: Record<string, { readonly entrypoint: readonly string[]; readonly environment: object }>;
  };
  const members = Object.values(file.services);
  assert.deepEqual(
    members.map(({ environment }) => environment),
    [{ PORT: '27117' }, { PORT: '27118' }, { PORT: '27119' }],
  );
  for (const { entrypoint } of members)
    assert.match(entrypoint.join(' '), /--replSet rs0 --keyFile \S+ .*--tlsMode requireTLS/s);
});
