import { Temporal } from 'temporal-polyfill';

/**
 * A second account of when doctors can be booked, written from docs/product.md alone: minute by minute, with arithmetic of its
 * own and Temporal for the clock. It shares no code with the service, so that one of the two notices what the other gets wrong.
 */

interface ModelSpan {
  readonly day: number;
  readonly from: number;
  readonly until: number;
  readonly place: string;
}

interface ModelPeriod {
  readonly from?: string;
  readonly until?: string;
  readonly length: number;
  readonly gap: number;
  readonly spans: readonly ModelSpan[];
}

interface ModelException {
  readonly date: string;
  readonly extra: boolean;
  readonly from: number;
  readonly until: number;
  readonly place: string;
}

export interface ModelVisit {
  readonly date: string;
  readonly minute: number;
  readonly length: number;
}

export interface ModelWorld {
  readonly zone: string;
  readonly now: Temporal.Instant;
  readonly horizon: number;
  readonly periods: readonly ModelPeriod[];
  readonly exceptions: readonly ModelException[];
  readonly daysOff: readonly string[];
  readonly holidays: readonly string[];
  readonly open?: { readonly from: number; readonly until: number };
  readonly taken: readonly ModelVisit[];
}

interface ModelSlot {
  readonly minute: number;
  readonly length: number;
  readonly place: string;
}

const day = 1_440;
const shift = (date: string, days: number): string => Temporal.PlainDate.from(date).add({ days }).toString();

/** First and last instant of a visit, milliseconds. */
export function instantsOf({ date, minute, length }: ModelVisit, zone: string): readonly [from: number, until: number] {
  const start = wall(date, minute).toZonedDateTime(zone).epochMilliseconds;
  return [start, start + length * 60_000];
}

const wall = (date: string, minute: number): Temporal.PlainDateTime =>
  Temporal.PlainDate.from(date).toPlainDateTime({ hour: Math.floor(minute / 60), minute: minute % 60 });

/** Whether two visits share a millisecond. */
export function share(one: ModelVisit, other: ModelVisit, zone: string): boolean {
  const [from, until] = instantsOf(one, zone);
  const [otherFrom, otherUntil] = instantsOf(other, zone);
  return Math.max(from, otherFrom) < Math.min(until, otherUntil);
}

interface Covered {
  readonly by: number[];
  place: string;
}

/** Which hours cover each minute of a day and of the night after it. */
function coverage({ periods, exceptions }: ModelWorld, date: string): (Covered | undefined)[] {
  const period = periodFor(periods, date);
  const weekday = Temporal.PlainDate.from(date).dayOfWeek % 7;
  const spans = [
    ...(period?.spans.filter((span) => span.day === weekday) ?? []).toSorted((one, other) => one.from - other.from),
    ...exceptions.filter((one) => one.extra && one.date === date),
  ].map(({ from, until, place }) => ({ from, until: until > from ? until : until + day, place }));
  const minutes: (Covered | undefined)[] = Array.from({ length: 2 * day });
  for (const [at, { from, until, place }] of spans.entries())
    for (let minute = from; minute < until; minute += 1) {
      const covered = (minutes[minute] ??= { by: [], place: '' });
      covered.by.push(at);
      if (place !== '') covered.place = place;
    }
  return minutes;
}

function periodFor(periods: readonly ModelPeriod[], date: string): ModelPeriod | undefined {
  return periods.find(({ from, until }) => (from ?? '0000') <= date && date <= (until ?? '9999'));
}

function rhythmFor(periods: readonly ModelPeriod[], date: string): { readonly length: number; readonly gap: number } {
  const next = periods.filter(({ from }) => from !== undefined && from > date)[0];
  return periodFor(periods, date) ?? next ?? periods.at(-1) ?? { length: 30, gap: 0 };
}

/** Visits that the hours beginning on a day have room for. @param free - the first free minute */
function room(world: ModelWorld, date: string, free: number): ModelSlot[] {
  const minutes = coverage(world, date);
  const { length, gap } = rhythmFor(world.periods, date);
  /** Whether the hours go on from a minute to the next: one span has both, at one place. */
  const goesOn = (minute: number): boolean => {
    const [one, next] = [minutes[minute], minutes[minute + 1]];
    return (
      one !== undefined && next !== undefined && one.place === next.place && one.by.some((at) => next.by.includes(at))
    );
  };
  /** Minutes from each on that belong together. */
  const left = Array.from({ length: 2 * day }, () => 0);
  for (let minute = 2 * day - 1; minute >= 0; minute -= 1)
    if (minutes[minute]) left[minute] = 1 + (goesOn(minute) ? (left[minute + 1] ?? 0) : 0);
  const slots: ModelSlot[] = [];
  for (let minute = Math.max(0, free); minute < 2 * day; minute += 1) {
    if ((left[minute] ?? 0) < length) continue;
    slots.push({ minute, length, place: minutes[minute]?.place ?? '' });
    minute += length + gap - 1;
  }
  return slots;
}

/** Days are asked about several times. */
const knownDays = new WeakMap<ModelWorld, Map<string, ModelSlot[]>>();

function begun(world: ModelWorld, date: string): ModelSlot[] {
  const days = knownDays.get(world) ?? new Map<string, ModelSlot[]>();
  knownDays.set(world, days);
  const slots = days.get(date) ?? begin(world, date);
  days.set(date, slots);
  return slots;
}

function begin(world: ModelWorld, date: string): ModelSlot[] {
  const before = shift(date, -1);
  const last = room(world, before, 0).at(-1);
  const free = last ? last.minute + last.length + rhythmFor(world.periods, before).gap - day : 0;
  return room(world, date, free);
}

/** The times at which a doctor sees patients on a day. */
function worked(world: ModelWorld, date: string): ModelSlot[] {
  const { zone, daysOff, holidays, exceptions, open } = world;
  const closed = (days: number): boolean => daysOff.includes(shift(date, days)) || holidays.includes(shift(date, days));
  if (closed(0)) return [];
  const night = closed(-1)
    ? []
    : begun(world, shift(date, -1)).flatMap((slot) =>
        slot.minute >= day ? [{ ...slot, minute: slot.minute - day, night: true }] : [],
      );
  // A closed evening still has its room: what follows it keeps its times.
  const own = begun(world, date).flatMap((slot) => (slot.minute < day ? [{ ...slot, night: false }] : []));
  const off = exceptions
    .filter(({ extra }) => !extra)
    .map((one) => {
      const days = Temporal.PlainDate.from(date).until(one.date).days;
      const until = one.until > one.from ? one.until : one.until + day;
      return { from: one.from + days * day, until: until + days * day };
    });
  const kept: ModelSlot[] = [];
  let end = 0;
  const planned = [
    ...begun(world, shift(date, -1)).flatMap((slot) =>
      slot.minute >= day ? [{ ...slot, minute: slot.minute - day }] : [],
    ),
    ...own,
  ].filter((slot) => {
    if (slot.minute < end || off.some((one) => slot.minute < one.until && one.from < slot.minute + slot.length))
      return false;
    end = slot.minute + slot.length;
    return true;
  });
  let busyUntil = -Infinity;
  for (const slot of planned) {
    if (open && (slot.minute < open.from || slot.minute + slot.length > open.until)) continue;
    const ofNight = !own.some((one) => one.minute === slot.minute);
    if (ofNight && !night.some((one) => one.minute === slot.minute)) continue;
    if (slot.minute + slot.length > day && closed(1)) continue;
    const zoned = wall(date, slot.minute).toZonedDateTime(zone);
    if (!zoned.toPlainDateTime().equals(wall(date, slot.minute))) continue;
    if (zoned.epochMilliseconds < busyUntil) continue;
    busyUntil = zoned.epochMilliseconds + slot.length * 60_000;
    kept.push({ minute: slot.minute, length: slot.length, place: slot.place });
  }
  return kept;
}

/** The times of a day that can be booked. */
export function bookable(world: ModelWorld, date: string): ModelSlot[] {
  const here = world.now.toZonedDateTimeISO(world.zone);
  const today = here.toPlainDate().toString();
  if (date < today || date > shift(today, world.horizon)) return [];
  const minuteNow = here.with({ second: 0, millisecond: 0, microsecond: 0, nanosecond: 0 }).epochMilliseconds;
  return worked(world, date).filter((slot) => {
    const visit = { date, ...slot };
    return (
      instantsOf(visit, world.zone)[0] >= minuteNow && !world.taken.some((other) => share(visit, other, world.zone))
    );
  });
}
