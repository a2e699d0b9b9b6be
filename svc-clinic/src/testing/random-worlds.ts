import { addDays } from '@clinic/contracts';
import { Temporal } from 'temporal-polyfill';
import type { ModelWorld } from './visit-model.ts';
import { zones } from './zones.ts';

/** Numbers that a seed decides (mulberry32). */
export function randomOf(start: number) {
  let state = start;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const upTo = (most: number): number => Math.floor(next() * (most + 1));
  return {
    upTo,
    among: <Value>(values: readonly Value[]): Value => values[upTo(values.length - 1)] as Value,
    chance: next,
  };
}
export type Random = ReturnType<typeof randomOf>;

const places = ['', '', 'Branch', 'Annexe'];

/** Days around which the clock changes somewhere, so that these come often. */
const oddDays = [
  '2026-03-29',
  '2026-10-25',
  '2026-11-01',
  '2026-04-05',
  '2026-10-04',
  '2018-11-04',
  '2011-12-30',
  '2026-04-24',
];

function spanOf({ upTo, chance }: Random): { readonly from: number; readonly until: number } {
  const step = chance() < 0.8 ? 15 : 1;
  const from = upTo(1_439 / step) * step;
  const length = (1 + upTo(20)) * step * (step === 1 ? 13 : 1);
  return { from, until: (from + length) % 1_440 };
}

/** A doctor's hours and what is taken of them, and the day to ask about. */
export function worldOf(random: Random): { readonly world: ModelWorld; readonly date: string } {
  const { upTo, among, chance } = random;
  const date = chance() < 0.5 ? addDays(among(oddDays), upTo(2) - 1) : addDays('2026-01-01', upTo(700));
  const length = among([5, 7, 10, 20, 30, 45, 60, 480]);
  const period = (bounds: { readonly from?: string; readonly until?: string }) => ({
    ...bounds,
    length,
    gap: among([0, 0, 5, 10, 15]),
    spans: Array.from({ length: upTo(12) }, () => ({ day: upTo(6), ...spanOf(random), place: among(places) })),
  });
  const split = addDays(date, upTo(4) - 2);
  return {
    date,
    world: {
      zone: among(zones),
      now: Temporal.Instant.from(`${addDays(date, -upTo(3))}T${String(upTo(23)).padStart(2, '0')}:20:30Z`),
      horizon: among([2, 90]),
      periods:
        chance() < 0.7 ? [period({})] : [period({ until: split }), period({ from: addDays(split, 1 + upTo(2)) })],
      exceptions: Array.from({ length: upTo(4) }, () => ({
        date: addDays(date, upTo(2) - 1),
        extra: chance() < 0.6,
        ...spanOf(random),
        place: among(places),
      })),
      daysOff: chance() < 0.2 ? [addDays(date, upTo(4) - 2)] : [],
      holidays: chance() < 0.2 ? [addDays(date, upTo(4) - 2)] : [],
      ...(chance() < 0.2 && { open: { from: 480, until: 1_200 } }),
      taken: Array.from({ length: upTo(8) }, () => ({
        date: addDays(date, upTo(2) - 1),
        minute: upTo(1_439),
        length: among([1, 5, 10, 30, 60, 480]),
      })),
    },
  };
}
