import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasTimeToSee, quietUntil } from './quiet-hours.ts';

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

describe('hasTimeToSee', () => {
  const minute = 60_000;
  // From 8:00 to 21:00 in Dhaka.
  const isAwake = (at: number): boolean => new Date(at).getUTCHours() >= 2 && new Date(at).getUTCHours() < 15;

  for (const length of [10, 30, 240, 1_440])
    it(`needs half of the time of an offer of ${length} minutes, after its message and outside quiet hours`, () => {
      const day = Date.parse('2026-12-01T00:00:00Z');
      for (let made = day; made < day + 1_440 * minute; made += 37 * minute)
        for (const late of [0, 0.3, 0.6, 1]) {
          const until = made + length * minute;
          const sent = made + late * length * minute;
          let awake = 0;
          for (let at = sent; at < until; at += minute / 2) if (isAwake(at)) awake += 0.5;
          // Not where a minute more or less decides.
          if (Math.abs(awake - length / 2) <= length / 60 + 1) continue;
          const offer = { madeAt: new Date(made), until: new Date(until) };
          assert.equal(
            hasTimeToSee(new Date(sent), offer, night, 'Asia/Dhaka'),
            awake > length / 2,
            `${offer.madeAt.toISOString()} sent ${late}`,
          );
        }
    });
});
