import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { clinicRecords } from '../../../svc-clinic/src/personal-data/personal-records.ts';
import { identityRecords } from '../../../svc-identity/src/personal-data/personal-records.ts';
import { messagesRecords } from '../../../svc-messages/src/personal-data/personal-records.ts';
import { pharmacyRecords } from '../../../svc-pharmacy/src/personal-data/personal-records.ts';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/privacy.md'), 'utf8');
const kept = page.slice(0, page.indexOf('## What strangers learn'));
const missing = (names: readonly string[]): string[] => names.filter((name) => !kept.includes(`\`${name}\``));

test('docs/privacy.md names every collection with data about people', () => {
  const all = Object.entries({ ...identityRecords, ...clinicRecords, ...pharmacyRecords, ...messagesRecords });
  const personal = all.filter(([, { whose }]) => Object.keys(whose).length > 0).map(([name]) => name);
  assert.ok(personal.length >= 14, personal.join());
  assert.deepEqual(missing(personal), []);
});

test('docs/privacy.md names every setting of how long something is kept', () => {
  const sources = globSync(['svc-*/src/settings.ts', 'packages/service-kit/src/**/*.ts'], { cwd: root });
  const settings = sources.flatMap(
    (file) => readFileSync(join(root, file), 'utf8').match(/\b[A-Z_]+_KEPT_DAYS\b/g) ?? [],
  );
  assert.ok(new Set(settings).size >= 8);
  assert.deepEqual(missing([...new Set(settings)]), []);
});
