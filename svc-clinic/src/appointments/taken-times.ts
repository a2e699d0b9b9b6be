import { addDays } from '@clinic/contracts';
import type { ClientSession, Collection, Filter, ObjectId } from 'mongodb';
import { slotHoldingStatuses } from '../contract/transitions.ts';
import { occupyingStatuses } from '../waitlist/slot-hold.ts';
import type { AppointmentRecord } from './appointment-record.ts';
import { timeTaken, type Interval } from './promise.ts';

/** Index that answers {@link takenTimes} alone, without reading appointments. */
export const takenIndex = 'taken_times';

function within(
  doctorEmail: string | readonly string[],
  statuses: readonly string[],
  from: string,
  until?: string,
): Filter<AppointmentRecord> {
  return {
    doctorEmail: typeof doctorEmail === 'string' ? doctorEmail : { $in: [...doctorEmail] },
    status: { $in: [...statuses] },
    date: { $gte: from, ...(until !== undefined && { $lte: until }) },
  } as Filter<AppointmentRecord>;
}

/** Filter for the appointments of one or more doctors from a day on; uses the slot index. */
export const bookedSlots = (
  doctorEmail: string | readonly string[],
  from: string,
  until?: string,
): Filter<AppointmentRecord> => within(doctorEmail, slotHoldingStatuses, from, until);

/**
 * Filter for what holds time of one or more doctors within a range of days: appointments, and offers to people on the
 * waitlist. Includes what reaches into the first day from the evening before, and what hours of the last day across
 * midnight could meet.
 */
const heldSlots = (doctorEmail: string | readonly string[], from: string, until: string): Filter<AppointmentRecord> =>
  within(doctorEmail, occupyingStatuses, addDays(from, -1), addDays(until, 1));

/** The time that is taken with a doctor. */
export class TakenTime {
  /** By start. */
  readonly #intervals: readonly Interval[];
  /** The latest end among an interval and those before it: ones of earlier releases may overlap. */
  readonly #ends: readonly number[];

  constructor(intervals: readonly Interval[]) {
    this.#intervals = intervals.toSorted((one, other) => one.from - other.from);
    let latest = -Infinity;
    this.#ends = this.#intervals.map(({ until }) => (latest = Math.max(latest, until)));
  }

  /** Whether any of it is within an interval. */
  overlaps({ from, until }: Interval): boolean {
    let low = 0;
    let high = this.#intervals.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#intervals[middle]?.from ?? Infinity) < until) low = middle + 1;
      else high = middle;
    }
    return (this.#ends[low - 1] ?? -Infinity) > from;
  }

  /** This and more. */
  with(intervals: readonly Interval[]): TakenTime {
    return new TakenTime([...this.#intervals, ...intervals]);
  }
}

export const nothingTaken = new TakenTime([]);

/** The time taken with each of some doctors. */
export type TakenTimes = (doctorEmail: string) => TakenTime;

/**
 * Reads the time that is taken with some doctors on some days, with one query.
 *
 * @param from - first day, 'yyyy-mm-dd' in the clinic's time zone
 * @param until - last day, inclusive
 */
export async function takenTimes(
  appointments: Collection<AppointmentRecord>,
  doctorEmails: readonly string[],
  { from, until }: { readonly from: string; readonly until: string },
  timeZone: string,
): Promise<TakenTimes> {
  // One document per doctor, not per appointment: for a month of many doctors, transferring documents is the main cost.
  // The index has all four fields, so that no appointment is read.
  const doctors = appointments.aggregate<{
    _id: string;
    dates: string[];
    times: string[];
    durations: (string | null)[];
  }>(
    [
      { $match: heldSlots(doctorEmails, from, until) },
      {
        $group: {
          _id: '$doctorEmail',
          dates: { $push: '$date' },
          times: { $push: '$time' },
          // One without would shorten the list.
          durations: { $push: '$duration' },
        },
      },
    ],
    { hint: takenIndex },
  );
  const taken = new Map<string, TakenTime>();
  for (const { _id, dates, times, durations } of await doctors.toArray()) {
    // An appointment of the previous release that has no length yet leaves a gap in the list of lengths.
    if (durations.length < dates.length) taken.set(_id, await takenTime(appointments, _id, { from, until }, timeZone));
    else
      taken.set(
        _id,
        new TakenTime(
          dates.map((date, at) => timeTaken({ date, time: times[at] ?? '', ...lengthAt(durations, at) }, timeZone)),
        ),
      );
  }
  return (doctorEmail) => taken.get(doctorEmail) ?? nothingTaken;
}

function lengthAt(durations: readonly (string | null)[], at: number): { readonly duration?: string } {
  const duration = durations[at] ?? undefined;
  return duration === undefined ? {} : { duration };
}

/** What holds time with a doctor. */
export type HeldTime = Pick<AppointmentRecord, '_id' | 'doctorEmail' | 'date' | 'time' | 'duration'>;

/** What holds time with some doctors on a day, with one query, for {@link takenTime} of each of them. */
export function heldTimes(
  appointments: Collection<AppointmentRecord>,
  doctorEmails: readonly string[],
  day: string,
  session: ClientSession,
): Promise<HeldTime[]> {
  return appointments
    .find(heldSlots(doctorEmails, day, day), {
      session,
      projection: { doctorEmail: 1, date: 1, time: 1, duration: 1 },
    })
    .toArray();
}

/**
 * The time taken with one doctor, read in a transaction.
 *
 * @param apartFrom - appointments that move away, whose time counts as free
 */
export async function takenTime(
  appointments: Collection<AppointmentRecord>,
  doctorEmail: string,
  { from, until }: { readonly from: string; readonly until: string },
  timeZone: string,
  { session, apartFrom = [] }: { readonly session?: ClientSession; readonly apartFrom?: readonly ObjectId[] } = {},
): Promise<TakenTime> {
  const held = await appointments
    .find(
      {
        ...heldSlots(doctorEmail, from, until),
        ...(apartFrom.length > 0 && { _id: { $nin: [...apartFrom] } }),
      },
      { ...(session && { session }), projection: { _id: 0, date: 1, time: 1, duration: 1 } },
    )
    .toArray();
  return new TakenTime(held.map((record) => timeTaken(record, timeZone)));
}
