import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasTimeToSee } from './quiet-hours.ts';

const night = { from: '21:00', until: '08:00' };
const clinic = { QUIET_HOURS: night, CLINIC_TZ: 'Asia/Dhaka' };
const byDay = { ...clinic, QUIET_HOURS: { from: '00:00', until: '00:00' } };
const own = { ...night, timeZone: 'Asia/Dhaka' };

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
            hasTimeToSee(new Date(sent), offer, own, byDay),
            awake > length / 2,
            `${offer.madeAt.toISOString()} sent ${late}`,
          );
        }
    });

  it('counts the morning of an offer that lasts all night', () => {
    const offer = { madeAt: new Date('2026-12-01T16:00:00Z'), until: new Date('2026-12-02T02:30:00Z') };
    const late = { ...own, until: '08:20' };
    for (const [sent, quiet, seen] of [
      ['2026-12-01T16:00:00Z', own, true],
      ['2026-12-02T02:14:00Z', own, true],
      ['2026-12-02T02:16:00Z', own, false],
      ['2026-12-01T16:00:00Z', late, false],
    ] as const)
      assert.equal(hasTimeToSee(new Date(sent), offer, quiet, clinic), seen, sent);
  });

  it('counts all the time of an offer that can’t wait for the morning', () => {
    const offer = { madeAt: new Date('2026-12-01T14:58:00Z'), until: new Date('2026-12-01T15:28:00Z') };
    assert.equal(hasTimeToSee(offer.madeAt, offer, own, clinic), false);
  });
});
