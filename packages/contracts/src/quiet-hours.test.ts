import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { awakeSpans, quietUntil } from './quiet-hours.ts';

const night = { from: '21:00', until: '08:00' };
const ends = (now: string, hours = night, zone = 'Asia/Dhaka') => quietUntil(new Date(now), hours, zone)?.toISOString();

describe('quietUntil', () => {
  it('lasts from the evening until the next morning, in the person’s time zone', () => {
    assert.equal(ends('2026-12-01T14:59:00Z'), undefined);
    assert.equal(ends('2026-12-01T15:00:00Z'), '2026-12-02T02:00:00.000Z');
    assert.equal(ends('2026-12-01T23:30:00Z'), '2026-12-02T02:00:00.000Z');
    assert.equal(ends('2026-12-02T02:00:00Z'), undefined);
    assert.equal(ends('2026-12-01T15:00:00Z', night, 'Europe/Lisbon'), undefined);
  });

  it('may lie within a day', () => {
    const nap = { from: '13:00', until: '15:30' };
    assert.equal(ends('2026-12-01T06:59:00Z', nap), undefined);
    assert.equal(ends('2026-12-01T07:00:00Z', nap), '2026-12-01T09:30:00.000Z');
    assert.equal(ends('2026-12-01T09:30:00Z', nap), undefined);
  });

  it('has none if both times are the same', () => {
    assert.equal(ends('2026-12-01T00:00:00Z', { from: '00:00', until: '00:00' }, 'UTC'), undefined);
  });

  it('ends at the set time although the clock goes forward that night', () => {
    assert.equal(ends('2026-03-28T23:00:00Z', night, 'Europe/Berlin'), '2026-03-29T06:00:00.000Z');
  });

  it('ends once although the clock shows its end twice', () => {
    const early = { from: '21:00', until: '02:30' };
    assert.equal(ends('2026-10-25T00:10:00Z', early, 'Europe/Berlin'), '2026-10-25T00:30:00.000Z');
    assert.equal(ends('2026-10-25T01:10:00Z', early, 'Europe/Berlin'), undefined);
  });
});

describe('awakeSpans', () => {
  const spans = (from: string, until: string, hours = night, zone = 'Asia/Dhaka') =>
    [...awakeSpans(new Date(from), new Date(until), hours, zone)].map(({ from: begin, ms }) => [
      begin.toISOString(),
      ms / 60_000,
    ]);

  it('leaves the nights out', () => {
    assert.deepEqual(spans('2026-12-01T14:45:00Z', '2026-12-03T02:10:00Z'), [
      ['2026-12-01T14:45:00.000Z', 15],
      ['2026-12-02T02:00:00.000Z', 780],
      ['2026-12-03T02:00:00.000Z', 10],
    ]);
    assert.deepEqual(spans('2026-12-01T15:00:00Z', '2026-12-02T02:00:00Z'), []);
    assert.deepEqual(spans('2026-12-01T05:00:00Z', '2026-12-01T06:00:00Z'), [['2026-12-01T05:00:00.000Z', 60]]);
  });

  it('is all of it without quiet hours', () => {
    const none = { from: '00:00', until: '00:00' };
    assert.deepEqual(spans('2026-12-01T14:45:00Z', '2026-12-02T14:45:00Z', none), [['2026-12-01T14:45:00.000Z', 1440]]);
  });

  it('goes on where the clock shows an evening twice, or skips it', () => {
    const late = { from: '02:30', until: '05:00' };
    assert.deepEqual(spans('2026-10-25T00:00:00Z', '2026-10-25T05:00:00Z', late, 'Europe/Berlin'), [
      ['2026-10-25T00:00:00.000Z', 30],
      ['2026-10-25T04:00:00.000Z', 60],
    ]);
    assert.deepEqual(spans('2026-03-29T00:00:00Z', '2026-03-29T04:00:00Z', late, 'Europe/Berlin').at(-1), [
      '2026-03-29T03:00:00.000Z',
      60,
    ]);
  });
});
