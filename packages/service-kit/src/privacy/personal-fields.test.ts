import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  erasingUpdate,
  internal,
  withoutPersonalFields,
  withoutPersonInHistory,
  type CopyRules,
  type DeletionRules,
} from './personal-fields.ts';

interface Visit {
  readonly name: string;
  readonly age?: number;
  readonly tags: readonly string[];
  readonly place: { readonly room: string; readonly note?: string };
  readonly at: Date;
}

const rules: DeletionRules<Visit> = {
  name: 'emptied',
  age: 'removed',
  tags: 'emptied',
  place: { room: 'kept', note: 'removed' },
  at: 'kept',
};
const inCopy: CopyRules<Visit> = {
  name: 'fullname',
  age: 'age',
  tags: internal('for searching'),
  place: 'place',
  at: 'at',
};
const visit: Visit = { name: 'Ann', age: 5, tags: ['ann'], place: { room: '1', note: 'shy' }, at: new Date(0) };

test('a field doesn’t compile without a declaration, or with an impossible one', () => {
  const { age: _age, ...lacksOne } = rules;
  const { tags: _tags, ...copyLacksOne } = inCopy as Record<keyof Visit, string>;
  // @ts-expect-error -- age is missing
  const missing: DeletionRules<Visit> = lacksOne;
  // @ts-expect-error -- tags is missing
  const missingInCopy: CopyRules<Visit> = copyLacksOne;
  // @ts-expect-error -- every visit has a name, so it can't be removed
  const removed: DeletionRules<Visit> = { ...rules, name: 'removed' };
  // @ts-expect-error -- fields of a nested object are declared one by one
  const nested: DeletionRules<Visit> = { ...rules, place: 'kept' };
  // @ts-expect-error -- place has a note, too
  const nestedMissing: DeletionRules<Visit> = { ...rules, place: { room: 'kept' } };
  assert.ok([missing, missingInCopy, removed, nested, nestedMissing].every((each) => typeof each === 'object'));
});

test('a record keeps, empties and loses its fields as declared, nested ones too', () => {
  assert.deepEqual(withoutPersonalFields(visit, rules, { name: 'Deleted person' }), {
    name: 'Deleted person',
    tags: [],
    place: { room: '1' },
    at: new Date(0),
  });
  const { age: _age, ...withoutAge } = visit;
  assert.deepEqual(erasingUpdate(withoutAge, rules), {
    $set: { name: '', tags: [], place: { room: '1' } },
    $unset: {},
  });
  assert.deepEqual(erasingUpdate(visit, rules).$unset, { age: '' });
});

test('the history keeps what is declared as kept under either name, and empties anything else', () => {
  assert.deepEqual(
    withoutPersonInHistory<Visit>(
      {
        fullname: 'Ann',
        name: 'Ann',
        age: 5,
        at: 'today',
        status: 'done',
        unknown: { deep: 'Ann' },
        shown: { x: 'Ann' },
      },
      { rules, inCopy, instead: { name: 'Deleted person' }, alsoKept: ['status', 'shown'] },
    ),
    {
      fullname: 'Deleted person',
      name: 'Deleted person',
      age: 0,
      at: 'today',
      status: 'done',
      unknown: { deep: '' },
      shown: { x: '' },
    },
  );
});
