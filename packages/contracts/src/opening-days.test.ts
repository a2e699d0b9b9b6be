import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brand, brandFacts } from './brand.ts';
import { isClosedOn, openDaysCode, openDaysText, openingHours } from './opening-days.ts';

test('website and structured data name the days on which the clinic can be booked', () => {
  assert.equal(openDaysText([]), 'Every day');
  assert.equal(openDaysText(['Friday']), 'Every day except Friday');
  assert.equal(openDaysText(['Friday', 'Saturday']), 'Every day except Friday and Saturday');
  assert.equal(openDaysCode(['Friday']), 'Su,Mo,Tu,We,Th,Sa');
  assert.equal(brand.openingHours, openingHours());
  assert.ok(openingHours(['Friday']).startsWith('Every day except Friday, '));
  assert.equal(brandFacts.openingHours, `${openDaysCode()} 08:00-20:00`);
});

test('a weekday is closed whatever the computer’s time zone', () => {
  // 27 November 2026 is a Friday.
  assert.equal(isClosedOn('2026-11-27', ['Friday']), true);
  assert.equal(isClosedOn('2026-11-26', ['Friday']), false);
  assert.equal(isClosedOn('2026-11-28', ['Friday']), false);
  assert.equal(isClosedOn('2026-11-27', []), false);
});
