import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ACCUMULATORS } from './aggregate/accumulators.ts';
import { STAGES } from './aggregate/stages.ts';
import { COMMANDS } from './commands/table.ts';
import { FOREIGN_QUERY_OPERATORS, FOREIGN_UPDATE_OPERATORS, PROFILE, profileRow } from './profile.ts';
import type { ProfileRow } from './profile.ts';
import { UPDATE_OPERATORS } from './update/operators.ts';

const names = (kind: ProfileRow['kind']): string[] =>
  PROFILE.filter((row) => row.kind === kind)
    .map(({ name }) => name)
    .toSorted();

test('the table lists exactly what is implemented', () => {
  assert.deepEqual(names('command'), [...Object.keys(COMMANDS), 'commitTransaction', 'abortTransaction'].toSorted());
  assert.deepEqual(names('update operator'), Object.keys(UPDATE_OPERATORS).toSorted());
  assert.deepEqual(names('aggregation stage'), Object.keys(STAGES).toSorted());
  assert.deepEqual(names('accumulator'), Object.keys(ACCUMULATORS).toSorted());
});

test('nothing is both inside and outside the profile', () => {
  assert.deepEqual(
    [...FOREIGN_QUERY_OPERATORS].filter((name) => profileRow('query operator', name)),
    [],
  );
  assert.deepEqual(
    [...FOREIGN_UPDATE_OPERATORS].filter((name) => profileRow('update operator', name)),
    [],
  );
});
