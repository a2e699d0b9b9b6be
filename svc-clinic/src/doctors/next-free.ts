import { addDays } from '@clinic/contracts';
import type { Collection } from 'mongodb';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import { freeTimesOfDay, type BookableDoctor } from '../appointments/free-times.ts';
import { takenTimes, type TakenTime } from '../appointments/taken-times.ts';
import type { ClinicClock } from '../clinic-clock.ts';
import type { PartOfDay } from '../contract/limits.ts';
import { isBookable, type FreeDay } from './doctor-record.ts';

/**
 * Range of the first two queries, in days from the first; the third goes to the last day. Nearly every doctor has a free slot
 * within days, so later appointments are read for few doctors only.
 */
const nearby = [1, 10] as const;

type Asked = BookableDoctor & { readonly email: string };

/** When a patient would like to come; every field may be absent. */
export interface Period {
  /** First and last day, 'yyyy-mm-dd' in the clinic's time zone, inclusive. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  readonly part?: PartOfDay | undefined;
}

/** Whether a time of day, 'HH:mm', is in a part of the day. */
function isIn(part: PartOfDay | undefined, time: string): boolean {
  return part === undefined || time < '12:00' === (part === 'morning');
}

/**
 * Each doctor's earliest day with a free time in a period, with at most three queries for all of them.
 *
 * @param period - default: from today to the last bookable day
 * @returns by email; leaves out doctors without a free slot: fully booked, not taking appointments, or without listed times
 */
export async function nextFreeDays(
  appointments: Collection<AppointmentRecord>,
  doctors: readonly Asked[],
  clock: ClinicClock,
  { from: earliest = clock.today, until: latest = clock.bookableUntil, part }: Period = {},
): Promise<ReadonlyMap<string, FreeDay>> {
  const found = new Map<string, FreeDay>();
  // With weekly hours, too, the listed times are all that occur.
  let open = doctors.filter((doctor) => isBookable(doctor) && doctor.availableTimes.some((time) => isIn(part, time)));
  let from = earliest > clock.today ? earliest : clock.today;
  const last = latest < clock.bookableUntil ? latest : clock.bookableUntil;
  const steps = nearby.map((days) => addDays(from, days)).filter((date) => date < last);
  for (const until of [...steps, last]) {
    if (open.length === 0 || from > until) break;
    const taken = await takenTimes(
      appointments,
      open.map(({ email }) => email),
      { from, until },
      clock.timeZone,
    );
    for (const doctor of open) {
      const day = firstFree(doctor, { from, until, part }, taken(doctor.email), clock);
      if (day) found.set(doctor.email, day);
    }
    open = open.filter(({ email }) => !found.has(email));
    from = addDays(until, 1);
  }
  return found;
}

function firstFree(
  doctor: Asked,
  { from, until, part }: { readonly from: string; readonly until: string; readonly part: PartOfDay | undefined },
  taken: TakenTime,
  clock: ClinicClock,
): FreeDay | undefined {
  for (let date = from; date <= until; date = addDays(date, 1)) {
    const [first, ...others] = freeTimesOfDay(doctor, date, taken, clock).filter((time) => isIn(part, time));
    if (first !== undefined) return { date, times: [first, ...others] };
  }
  return undefined;
}
