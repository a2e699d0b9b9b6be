import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from './stack/settings.ts';

/** Arithmetic with dates, clocks and offsets. */
const arithmetic =
  /getTimezoneOffset|formatToParts\(|Date\.UTC\(|\.[gs]et(UTC)?(Day|Date|Month|FullYear|Hours|Minutes)\(|Date\.parse\((`|to\)|until\)|from\))/;

/** Files with another reason for it. */
const allowed: Readonly<Record<string, string>> = {
  'packages/contracts/src/clinic-time.ts': 'the module itself',
  'packages/contracts/src/currency.ts': 'parts of an amount',
  'svc-messages/src/contract/bangla-times.ts': 'words of a formatted time',
  'mf-clinic/src/slots/local-dates.ts': 'the calendar component’s own local Dates',
};

const isProduct = (file: string): boolean =>
  /\.tsx?$/.test(file) &&
  !/\.(test|e2e)\.tsx?$|(^|\/)(testing|bench|node_modules)\//.test(file) &&
  // The database engine and what only tests run have clocks of their own.
  !/^(e2e|system-tests|stand-ins\/mongo-embedded)\//.test(file);

test('only contracts/clinic-time does arithmetic with dates and time zones', () => {
  const files = globSync(['{gateway,shell,mf-*,svc-*,packages/*,stand-ins/*}/src/**/*.{ts,tsx}', 'scripts/**/*.ts'], {
    cwd: root,
  }).filter(isProduct);
  assert.ok(files.length > 500);
  const found = files.filter((file) => arithmetic.test(readFileSync(join(root, file), 'utf8')));
  assert.deepEqual(found.toSorted(), Object.keys(allowed).toSorted());
});
