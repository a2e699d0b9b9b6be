import { addDays, formatDate, formatTime } from '@clinic/contracts';
import { ProblemError } from '@clinic/service-kit';
import { freeSlotsOfDay } from '../appointments/free-times.ts';
import { durationOf } from '../appointments/promise.ts';
import { takenTime } from '../appointments/taken-times.ts';
import type { FreeSlot } from '../contract/problems.ts';
import { isBookable, type DoctorRecord } from '../doctors/doctor-record.ts';
import { withHolidays } from '../schedule/holidays.ts';
import type { Offering } from './offer-slot.ts';
import { canTake, readAppointmentsAndOffers } from './suitable.ts';
import type { WaitlistRecord } from './waitlist-record.ts';

/** Times that the answer names. */
const mostNamed = 6;

/**
 * A waitlist is for times that aren't free: whoever could book one now, or move the appointment they wait with, is told
 * which. A time that becomes free while this is checked isn't lost: joining notes that the patient may be able to take
 * one, and the sweep offers it.
 *
 * @param doctors - whose times the patient waits for
 * @throws ProblemError `times_free`
 */
export async function assertNothingToBook(
  offering: Pick<Offering, 'collections' | 'clock' | 'rules'>,
  entry: WaitlistRecord,
  doctors: readonly DoctorRecord[],
): Promise<void> {
  const free: FreeSlot[] = [];
  for (const doctor of doctors) {
    if (!isBookable(doctor)) continue;
    free.push(...(await freeTimesFor(offering, entry, doctor, mostNamed - free.length)));
    if (free.length >= mostNamed) break;
  }
  const [first] = free;
  if (!first) return;
  const when = `${formatDate(first.date)} at ${formatTime(first.time)}`;
  throw new ProblemError('times_free', {
    detail: entry.moving
      ? `${first.doctorname} is free on ${when}. Move your appointment to that time, or wait for other days or times.`
      : `${first.doctorname} is free on ${when}. Book that time, or wait for other days or times.`,
    freeSlots: free,
  });
}

async function freeTimesFor(
  { collections, clock: today, rules }: Pick<Offering, 'collections' | 'clock' | 'rules'>,
  entry: WaitlistRecord,
  doctor: DoctorRecord,
  most: number,
): Promise<FreeSlot[]> {
  const clock = await withHolidays(today, collections);
  const from = entry.from > clock.today ? entry.from : clock.today;
  const until = entry.until < clock.bookableUntil ? entry.until : clock.bookableUntil;
  const days = { doctorEmail: doctor.email, from, until };
  const [taken, theirs] = await Promise.all([
    takenTime(collections.appointments, doctor.email, { from, until }, clock.timeZone),
    readAppointmentsAndOffers(collections, [entry], days, clock),
  ]);
  // A time that was offered before can be booked, too.
  const known = { ...theirs, offered: new Set<string>() };
  const free: FreeSlot[] = [];
  for (let date = from; date <= until; date = addDays(date, 1))
    for (const { time, minutes } of freeSlotsOfDay(doctor, date, taken, clock)) {
      const slot = { doctorEmail: doctor.email, date, time, duration: durationOf(minutes) };
      if (!canTake(entry, slot, known, { clock, rules, until: clock.now })) continue;
      free.push({ doctorid: doctor._id.toHexString(), doctorname: doctor.name, date, time });
      if (free.length >= most) return free;
    }
  return free;
}
