import assert from 'node:assert/strict';
import { test } from 'node:test';
import { medicineUnits } from '../contract/limits.ts';
import { customerLimit, householdLimits, usualLimits } from './household-limits.ts';

test('a setting lists the limits that differ from the default', () => {
  const parse = (text: string) => householdLimits().schema.safeParse(text).data;
  assert.deepEqual(parse('box=20'), { ...usualLimits, box: 20 });
  assert.deepEqual(parse(' tablet = 200 , ml=10000'), { ...usualLimits, tablet: 200, ml: 10_000 });
  for (const wrong of [
    '20',
    'box',
    'box=',
    'box=0',
    'box=-1',
    'box=1.5',
    'box=0x10',
    'box=10001',
    'crate=5',
    'box=5;bottle=5',
    'box=5,,',
  ])
    assert.equal(parse(wrong), undefined, wrong);
});

test('a medicine’s own limit comes first, then its unit’s; an unknown unit counts as a box', () => {
  for (const unit of medicineUnits) assert.equal(customerLimit({ unit }, usualLimits), usualLimits[unit]);
  assert.equal(customerLimit({ unit: 'box', maxPerCustomer: 3 }, usualLimits), 3);
  assert.equal(customerLimit({ unit: 'box', maxPerCustomer: null }, usualLimits), 10);
  assert.equal(customerLimit({ unit: 'barrel' }, usualLimits), 10);
});
