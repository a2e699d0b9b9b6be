import { addDays, slotHoldingStatuses, type ClinicMoment } from '@clinic/contracts';
import type { Collection } from 'mongodb';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import { freeTimesOfDay, type BookableDoctor } from '../appointments/free-times.ts';

/**
 * How many days ahead to look, in steps: nearly every doctor has a free slot within days, so that the few whose are all
 * taken are looked up further, and nobody's are read for two months.
 */
const horizons = [3, 14, 60] as const;

type Asked = BookableDoctor & { readonly email: string };

/**
 * The earliest free slot of each of some doctors, with at most three questions to the database for all of them.
 *
 * @param now - the present in the clinic's time zone
 * @returns by e-mail; doctors without one are left out: nothing free within 60 days, no appointments at present, no
 *   listed times
 */
export async function nextFreeSlots(
  appointments: Collection<AppointmentRecord>, doctors: readonly Asked[], now: ClinicMoment,
): Promise<ReadonlyMap<string, ClinicMoment>> {
  const found = new Map<string, ClinicMoment>();
  let open = doctors.filter(({ isAvailable, availableTimes }) => isAvailable && availableTimes.length > 0);
  let from = now.date;
  for (const horizon of horizons) {
    if (open.length === 0) break;
    const until = addDays(now.date, horizon);
    const taken = await takenSlots(appointments, open.map(({ email }) => email), from, until);
    for (const doctor of open) {
      const slot = firstFree(doctor, from, until, (date) => taken.get(`${doctor.email} ${date}`) ?? [], now);
      if (slot) found.set(doctor.email, slot);
    }
    open = open.filter(({ email }) => !found.has(email));
    from = addDays(until, 1);
  }
  return found;
}

function firstFree(doctor: Asked, from: string, until: string, takenOn: (date: string) => readonly string[], now: ClinicMoment): ClinicMoment | undefined {
  for (let date = from; date <= until; date = addDays(date, 1)) {
    const [time] = freeTimesOfDay(doctor, date, takenOn(date), now).times;
    if (time !== undefined) return { date, time };
  }
  return undefined;
}

/** Held times by '{e-mail} {date}'. */
async function takenSlots(appointments: Collection<AppointmentRecord>, doctorEmails: readonly string[], from: string, until: string): Promise<Map<string, string[]>> {
  const held = appointments
    .find({ doctorEmail: { $in: [...doctorEmails] }, status: { $in: [...slotHoldingStatuses] }, date: { $gte: from, $lte: until } })
    .project<Pick<AppointmentRecord, 'doctorEmail' | 'date' | 'time'>>({ _id: 0, doctorEmail: 1, date: 1, time: 1 });
  const taken = new Map<string, string[]>();
  for await (const { doctorEmail, date, time } of held) {
    const key = `${doctorEmail} ${date}`;
    const times = taken.get(key);
    if (times) times.push(time);
    else taken.set(key, [time]);
  }
  return taken;
}
