import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROFILE } from '../profile.ts';
import type { ProfileRow } from '../profile.ts';

/**
 * Defines one test for each row of a kind, and one that checks that no row is missing.
 * @param rows by the row's name
 */
export function testRows(kind: ProfileRow['kind'], rows: Record<string, () => Promise<void>>): void {
  for (const [name, run] of Object.entries(rows)) test(`${kind} ${name}`, run);
  test(`every ${kind} of the profile has a test`, () => {
    assert.deepEqual(
      Object.keys(rows).toSorted(),
      PROFILE.filter((row) => row.kind === kind)
        .map(({ name }) => name)
        .toSorted(),
    );
  });
}
