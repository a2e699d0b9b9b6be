import { existsInClinic, formatDate, type ClinicMoment, type FieldError } from '@clinic/contracts';
import { isDuplicateKey, ProblemError } from '@clinic/service-kit';
import type { ClientSession, MongoServerError, ObjectId } from 'mongodb';
import { isPast, type ClinicClock } from '../clinic-clock.ts';
import type { ClinicCollections } from '../collections.ts';
import { isBookable, type DoctorRecord } from '../doctors/doctor-record.ts';
import { withHolidays } from '../schedule/holidays.ts';
import { visitAt } from '../schedule/visit.ts';
import { hasNoHours, workingDay, workingSlotAt } from '../schedule/working-times.ts';
import { freeTimesOfDay, isTaken, type BookableDoctor } from './free-times.ts';
import type { Visit } from './promise.ts';
import { takenTime } from './taken-times.ts';

/**
 * Why a slot can't be requested, regardless of who else has it: unknown or unavailable doctor, past, beyond the booking
 * horizon, or not among the doctor's times.
 *
 * @param doctor - `null`: no doctor has the requested email
 * @param slot - date and time in the clinic's time zone
 * @returns errors of the booking's fields; empty if the slot can be requested
 */
export function slotRejections(doctor: BookableDoctor | null, slot: ClinicMoment, clock: ClinicClock): FieldError[] {
  if (!doctor) return [{ field: 'doctoremail', message: 'There’s no doctor with this email address' }];
  const rejections: FieldError[] = [];
  if (!isBookable(doctor))
    rejections.push({ field: 'doctoremail', message: 'This doctor isn’t taking new appointments' });
  if (slot.date < clock.today) rejections.push({ field: 'date', message: 'Date is in the past' });
  else if (slot.date > clock.bookableUntil)
    rejections.push({ field: 'date', message: `You can book until ${formatDate(clock.bookableUntil)}` });
  else if (isPast(slot, clock)) rejections.push({ field: 'time', message: 'Time is in the past' });
  else if (!existsInClinic(slot, clock.timeZone))
    rejections.push({ field: 'time', message: 'This time doesn’t exist on that day because the clocks change' });
  const { closed } = workingDay(doctor, slot.date, clock);
  if (closed === 'holiday') rejections.push({ field: 'date', message: 'The clinic is closed on this day' });
  else if (closed === 'day off') rejections.push({ field: 'date', message: 'The doctor is away on this day' });
  else if (hasNoHours(doctor)) rejections.push({ field: 'doctoremail', message: 'This doctor has no hours yet' });
  else if (existsInClinic(slot, clock.timeZone) && !workingSlotAt(doctor, slot, clock))
    rejections.push({ field: 'time', message: 'The doctor doesn’t see patients at this time' });
  return rejections;
}

interface RequestedSlot extends ClinicMoment {
  readonly doctorEmail: string;
}

/** A doctor, and what a patient is promised who is booked with them. */
interface BookableSlot {
  readonly doctor: DoctorRecord;
  readonly visit: Visit;
}

/**
 * The booking rule: the doctor of a slot, if it can be requested, with the length and place that it has now. Who gets it is
 * left to the database's unique index over the doctor's minutes; what has no minutes in it, because it was made by an
 * earlier release, is found here.
 *
 * @param requested - `moving`: the appointment that moves there; absent for a booking
 * @param session - the transaction of the booking or move
 * @throws ProblemError `validation_failed` naming the fields, see {@link slotRejections}; `slot_taken` with the day's free
 *   times
 */
export async function doctorForSlot(
  collections: Pick<ClinicCollections, 'doctors' | 'appointments' | 'holidays'>,
  { doctorEmail, date, time, moving = [] }: RequestedSlot & { readonly moving?: readonly ObjectId[] },
  today: ClinicClock,
  session: ClientSession,
): Promise<BookableSlot> {
  const doctor = await collections.doctors.findOne({ email: doctorEmail }, { session });
  const clock = await withHolidays(today, collections, session);
  const rejections = slotRejections(doctor, { date, time }, clock);
  const slot = doctor && workingSlotAt(doctor, { date, time }, clock);
  if (!slot || rejections.length > 0) throw new ProblemError('validation_failed', { errors: rejections });
  const taken = await takenTime(collections.appointments, doctorEmail, { from: date, until: date }, clock.timeZone, {
    session,
    apartFrom: moving,
  });
  if (isTaken(slot, date, taken, clock)) throw slotTaken(freeTimesOfDay(doctor, date, taken, clock));
  return { doctor, visit: visitAt(doctor, slot) };
}

/**
 * Requires the time that an appointment goes back to be free, whatever the hours are now.
 *
 * @param apartFrom - appointments that leave their times
 * @throws ProblemError `slot_taken`
 */
export async function assertStillFree(
  { appointments }: Pick<ClinicCollections, 'appointments'>,
  { doctorEmail, date, time, minutes }: RequestedSlot & Pick<Visit, 'minutes'>,
  { timeZone }: ClinicClock,
  apartFrom: readonly ObjectId[],
  session: ClientSession,
): Promise<void> {
  const taken = await takenTime(appointments, doctorEmail, { from: date, until: date }, timeZone, {
    session,
    apartFrom,
  });
  if (isTaken({ time, minutes }, date, taken, { timeZone }))
    throw new ProblemError('slot_taken', { detail: 'Somebody else has this time by now.' });
}

/**
 * Maps the duplicate key error of a held slot to a problem for the user, with the other free times of that day.
 *
 * @param error - what the transaction threw; it has ended
 * @returns `slot_taken` with the other free times, or the unchanged error if it is about something else
 */
export async function explainTakenSlot(
  error: unknown,
  requested: RequestedSlot,
  collections: ClinicCollections,
  today: ClinicClock,
): Promise<unknown> {
  if (!isTakenSlot(error)) return error;
  const { doctors, appointments } = collections;
  const doctor = await doctors.findOne({ email: requested.doctorEmail });
  if (!doctor) return error;
  const clock = await withHolidays(today, collections);
  const day = { from: requested.date, until: requested.date };
  const taken = await takenTime(appointments, doctor.email, day, clock.timeZone);
  // Somebody may have taken the time between our transaction and this read; don't offer it.
  return slotTaken(freeTimesOfDay(doctor, requested.date, taken, clock).filter((time) => time !== requested.time));
}

function slotTaken(freeTimes: readonly string[]): ProblemError {
  const detail =
    freeTimes.length > 0 ? 'Choose another time.' : 'There are no free times left on this day. Choose another day.';
  return new ProblemError('slot_taken', { detail, freeTimes });
}

function isTakenSlot(error: unknown): boolean {
  if (!isDuplicateKey(error)) return false;
  const { keyPattern } = error as MongoServerError & { readonly keyPattern?: Readonly<Record<string, unknown>> };
  return keyPattern !== undefined && 'doctorEmail' in keyPattern && ('cells' in keyPattern || 'time' in keyPattern);
}
