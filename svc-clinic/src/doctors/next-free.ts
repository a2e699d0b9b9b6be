import { addDays, type ClinicMoment } from '@clinic/contracts';
import type { Collection } from 'mongodb';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import { freeTimesOfDay, type BookableDoctor } from '../appointments/free-times.ts';
import { takenSlots } from '../appointments/taken-times.ts';
import type { ClinicClock } from '../clinic-clock.ts';
import { isBookable } from './doctor-record.ts';

/**
 * Range of the first two queries, in days from today; the third goes to the last bookable day. Nearly every doctor has a
 * free slot within days, so later appointments are read for few doctors only.
 */
const nearby = [3, 14] as const;

type Asked = BookableDoctor & { readonly email: string };

/**
 * The earliest free slot of each doctor, with at most three queries for all of them.
 *
 * @returns by email; leaves out doctors without a free slot: fully booked up to the last bookable day, not taking
 *   appointments, or without listed times
 */
export async function nextFreeSlots(
  appointments: Collection<AppointmentRecord>,
  doctors: readonly Asked[],
  clock: ClinicClock,
): Promise<ReadonlyMap<string, ClinicMoment>> {
  const found = new Map<string, ClinicMoment>();
  let open = doctors.filter((doctor) => isBookable(doctor) && doctor.availableTimes.length > 0);
  let from = clock.today;
  const steps = nearby.map((days) => addDays(clock.today, days)).filter((date) => date < clock.bookableUntil);
  for (const until of [...steps, clock.bookableUntil]) {
    if (open.length === 0) break;
    const taken = await takenSlots(
      appointments,
      open.map(({ email }) => email),
      from,
      until,
    );
    for (const doctor of open) {
      const slot = firstFree(doctor, from, until, (date) => taken(doctor.email, date), clock);
      if (slot) found.set(doctor.email, slot);
    }
    open = open.filter(({ email }) => !found.has(email));
    from = addDays(until, 1);
  }
  return found;
}

function firstFree(
  doctor: Asked,
  from: string,
  until: string,
  takenOn: (date: string) => readonly string[],
  clock: ClinicClock,
): ClinicMoment | undefined {
  for (let date = from; date <= until; date = addDays(date, 1)) {
    const [time] = freeTimesOfDay(doctor, date, takenOn(date), clock).times;
    if (time !== undefined) return { date, time };
  }
  return undefined;
}
