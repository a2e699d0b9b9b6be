// Every setting for operators is in .env.example and reaches its program.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../stack/settings.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const namesIn = (text: string, pattern: RegExp): Set<string> =>
  new Set([...text.matchAll(pattern)].map(([, name = '']) => name));
const sorted = (names: Iterable<string>): readonly string[] => [...names].toSorted();

const composeFiles = ['docker-compose.yml', 'docker-compose.embedded.yml', 'docker-compose.monitoring.yml'];

test('.env.example has exactly the variables of the Compose files', () => {
  const used = namesIn(composeFiles.map(read).join('\n'), /\$\{(\w+)/g);
  const documented = namesIn(read('.env.example'), /^#([A-Z]\w+)=/gm);
  // Read by Compose itself.
  assert.deepEqual(sorted(documented), sorted([...used, 'COMPOSE_FILE']));
});

test('every setting of a program can be set, or is fixed by its image', () => {
  const compose = read('docker-compose.yml');
  // The section of a service, with what it inherits.
  const partOf = (name: string): string =>
    new RegExp(`^  ${name}:\\n((?:    .*\\n|\\n)+)`, 'm').exec(compose)?.[1] ?? '';
  const shared = (anchor: string): string => new RegExp(`&${anchor}\\n((?:  .*\\n)+)`).exec(compose)?.[1] ?? '';
  const settingsIn = (file: string): Set<string> => namesIn(read(file), /^ {2}([A-Z][A-Z_]+): /gm);
  const base = namesIn(
    read('packages/service-kit/src/settings/settings.ts').split('export const baseSettings')[1] ?? '',
    /^ {2}([A-Z][A-Z_]+): /gm,
  );
  const byImage = new Set(['HOST', 'PORT', 'COMMIT']);
  const missing = (wanted: Set<string>, text: string): readonly string[] =>
    sorted(wanted).filter((name) => !byImage.has(name) && !new RegExp(`^ +${name}(?:_FILE)?:`, 'm').test(text));

  assert.ok(base.size > 10 && settingsIn('gateway/src/settings.ts').size > 8);
  assert.deepEqual(missing(settingsIn('gateway/src/settings.ts'), shared('common') + partOf('gateway')), []);
  for (const name of ['identity', 'clinic', 'pharmacy', 'messages']) {
    const wanted = new Set([...settingsIn(`svc-${name}/src/settings.ts`), ...base]);
    assert.deepEqual(missing(wanted, shared('common') + shared('service') + partOf(`svc-${name}`)), [], name);
  }
});

test("secrets are created once, readable by their owner only, and differ from the demo's", () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'clinic-secrets-')), 'secrets');
  const make = (): string => execFileSync(join(root, 'docker/make-secrets.sh'), [folder], { encoding: 'utf8' });
  make();
  const names = globSync('*', { cwd: folder });
  // Exactly the secrets that the Compose file requires.
  assert.deepEqual(sorted(names), sorted(namesIn(read('docker-compose.yml'), /demo-secrets\}\/([\w-]+)'/g)));
  assert.deepEqual(sorted(names), sorted(globSync('*', { cwd: join(root, 'docker/demo-secrets') })));
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  const before = names.map((name) => readFileSync(join(folder, name), 'utf8'));
  for (const text of before) assert.doesNotMatch(text, /demo-?only/i);
  assert.equal(new Set(before).size, names.length);
  for (const name of names) assert.match(readFileSync(join(root, 'docker/demo-secrets', name), 'utf8'), /demo-?only/i);

  assert.match(make(), /^kept /);
  assert.deepEqual(
    names.map((name) => readFileSync(join(folder, name), 'utf8')),
    before,
  );
  rmSync(join(folder, '..'), { recursive: true });
});

test("the database's container rejects the demo's secrets outside a demo", () => {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-mongo-start-'));
  // Replaces the image's own entry point to see what would be started.
  writeFileSync(join(folder, 'docker-entrypoint.sh'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
  const start = (demoMode: string, secrets: string) =>
    spawnSync('sh', [join(root, 'docker/mongo/start.sh')], {
      encoding: 'utf8',
      env: { PATH: `${folder}:${process.env['PATH']}`, TMPDIR: folder, DEMO_MODE: demoMode, SECRETS_FOLDER: secrets },
    });
  const demo = join(root, 'docker/demo-secrets');
  const own = join(folder, 'secrets');
  execFileSync(join(root, 'docker/make-secrets.sh'), [own]);

  const rejected = start('false', demo);
  assert.deepEqual([rejected.status, rejected.stdout], [1, '']);
  assert.match(
    rejected.stderr,
    /^mongo: these are the demo secrets, which everyone can read: outside demo mode they must be your own/,
  );
  const expected = `mongod --replSet rs0 --keyFile ${folder}/keyfile --bind_ip_all --setParameter transactionLifetimeLimitSeconds=15 --wiredTigerCacheSizeGB 0.5\n`;
  for (const [mode, secrets] of [
    ['true', demo],
    ['false', own],
  ] as const) {
    assert.deepEqual([start(mode, secrets).stdout, start(mode, secrets).status], [expected, 0]);
    // mongod rejects a key that others can read.
    assert.equal(statSync(join(folder, 'keyfile')).mode & 0o777, 0o400);
    assert.equal(readFileSync(join(folder, 'keyfile'), 'utf8'), readFileSync(join(secrets, 'mongo-keyfile'), 'utf8'));
  }
  rmSync(folder, { recursive: true });
});
