import { addDays, formatDate, formatTime, minuteOf, type ClinicMoment, type FieldError } from '@clinic/contracts';
import type { PlannedDate } from '../contract/series-calls.ts';
import { isDuplicateKey, ProblemError } from '@clinic/service-kit';
import { ObjectId, type ClientSession } from 'mongodb';
import { patientOf } from '../appointments/appointment-record.ts';
import { isTaken } from '../appointments/free-times.ts';
import { durationOf, intervalOf, type Interval } from '../appointments/promise.ts';
import { slotRejections } from '../appointments/requested-slot.ts';
import {
  sameTimeProblem,
  withOtherDoctors,
  type OtherAppointment,
  type SameTimeQuestion,
} from '../appointments/same-time.ts';
import { nothingTaken, takenTime, type TakenTime } from '../appointments/taken-times.ts';
import type { ClinicClock } from '../clinic-clock.ts';
import type { ClinicCollections } from '../collections.ts';
import type { DoctorRecord } from '../doctors/doctor-record.ts';
import { workingDay, workingSlotAt } from '../schedule/working-times.ts';

/** Days before and after a date within which to find an alternative. */
export const nearDays = 14;

const someoneElse = 'Someone else has this time';

/** What decides whether dates can be booked. */
export interface DateQuestion {
  readonly collections: ClinicCollections;
  readonly doctor: DoctorRecord;
  /** With an id: their appointment that moves, which isn't in its own way. */
  readonly patient: Pick<SameTimeQuestion['requested'], 'patientId' | 'patientEmail'> & { readonly _id?: ObjectId };
  /** With the holidays. */
  readonly clock: ClinicClock;
  readonly alsoThen?: boolean | undefined;
  readonly requester: SameTimeQuestion['requester'];
  /** Appointments that move to another time: their old times count as free. */
  readonly moving?: readonly { readonly _id: ObjectId }[];
  /** Time that is meant for somebody else. */
  readonly meant?: TakenTime;
  /** What holds the doctor's time, and the patient's with others, on these days: if it has been read already. */
  readonly known?: { readonly taken: TakenTime; readonly others: readonly OtherAppointment[] };
  /** Proposes only times of the same day, at this time ('HH:mm') or later; otherwise any within two weeks. */
  readonly onlyFrom?: string;
  /** Proposes no other times. */
  readonly judgesOnly?: boolean;
}

/** Why a slot can't be booked; `undefined` if it can. @param chosen - also the times of other dates of the series */
type FindConflict = (slot: ClinicMoment, chosen: TakenTime) => string | undefined;

/**
 * The one rule for the dates and for the times proposed instead of them, in the words of booking: with what is read here
 * it accepts what booking accepts.
 */
async function conflictFinder(
  { collections, doctor, patient, clock, alsoThen, requester, moving = [], meant = nothingTaken, known }: DateQuestion,
  period: { readonly from: string; readonly until: string },
  session: ClientSession,
): Promise<FindConflict> {
  const asked = { ...patient, doctorEmail: doctor.email };
  const apartFrom = moving.map(({ _id }) => _id);
  const { taken, others } = known ?? {
    taken: await takenTime(collections.appointments, doctor.email, period, clock.timeZone, { session, apartFrom }),
    others: await withOtherDoctors(collections, asked, period, session),
  };
  return ({ date, time }, chosen) => {
    const rejections = slotRejections(doctor, { date, time }, clock);
    const slot = workingSlotAt(doctor, { date, time }, clock);
    if (!slot || rejections.length > 0) return rejections.map(({ message }) => message).join('. ');
    if (isTaken(slot, date, taken, clock) || isTaken(slot, date, meant, clock)) return someoneElse;
    if (isTaken(slot, date, chosen, clock)) return 'Another of these dates is at this time';
    const requested = { ...asked, _id: nobody, date, time, duration: durationOf(slot.minutes) };
    return sameTimeProblem(others, { clock, requested, alsoThen, requester })?.message;
  };
}

/** An id that no appointment has. */
const nobody = new ObjectId('0'.repeat(24));

/** The bookable time nearest to a date: on its day, or else on the nearest day, at the nearest time. */
function alternativeTo(
  { doctor, clock, onlyFrom }: DateQuestion,
  { date, time }: ClinicMoment,
  findConflict: FindConflict,
  chosen: TakenTime,
): ClinicMoment | undefined {
  const distance = (other: string): number => Math.abs(minuteOf(time) - minuteOf(other));
  for (const offset of onlyFrom === undefined ? daysAround : [0]) {
    const day = addDays(date, offset);
    if (day < clock.today || day > clock.bookableUntil) continue;
    const nearest = workingDay(doctor, day, clock)
      .slots.filter((slot) => onlyFrom === undefined || slot.time >= onlyFrom)
      .map((slot) => ({ date: day, time: slot.time }))
      .toSorted((one, other) => distance(one.time) - distance(other.time))
      .find((slot) => findConflict(slot, chosen) === undefined);
    if (nearest) return nearest;
  }
  return undefined;
}

/** From the nearest to the farthest. */
const daysAround = [0, ...Array.from({ length: nearDays }, (_, index) => [index + 1, -index - 1]).flat()];

/**
 * Works out for each date whether it can be booked, and if not, why not and the nearest time that can. No alternative is
 * at the time of another of the dates, or given twice.
 */
export async function planDates(
  question: DateQuestion,
  dates: readonly ClinicMoment[],
  session: ClientSession,
): Promise<PlannedDate[]> {
  const { doctor, clock } = question;
  const days = dates.map(({ date }) => date).toSorted();
  const around = question.onlyFrom === undefined && !question.judgesOnly ? nearDays : 0;
  const period = {
    from: addDays(days[0] ?? clock.today, -around),
    until: addDays(days.at(-1) ?? clock.today, around),
  };
  const findConflict = await conflictFinder(question, period, session);
  const timeOf = ({ date, time }: ClinicMoment): Interval[] => {
    const slot = workingSlotAt(doctor, { date, time }, clock);
    return slot ? [intervalOf({ date, time }, slot.minutes, clock.timeZone)] : [];
  };
  const { meant = nothingTaken } = question;
  let earlier = meant;
  const judged = dates.map((slot) => {
    const conflict = findConflict(slot, earlier);
    earlier = earlier.with(timeOf(slot));
    return { ...slot, conflict };
  });
  if (question.judgesOnly)
    return judged.map(({ conflict, ...slot }) => (conflict === undefined ? slot : { ...slot, conflict }));
  let chosen = meant.with(dates.flatMap(timeOf));
  return judged.map(({ date, time, conflict }): PlannedDate => {
    if (conflict === undefined) return { date, time };
    const alternative = alternativeTo(question, { date, time }, findConflict, chosen);
    if (alternative) chosen = chosen.with(timeOf(alternative));
    return { date, time, conflict, ...(alternative && { alternative }) };
  });
}

/**
 * The problem that names every date with a conflict; `undefined` if there is none.
 *
 * @param field - of the list of dates in the request
 * @param patient - of whose other visits it may tell
 */
export function conflictProblem(
  planned: readonly PlannedDate[],
  field: string,
  patient: DateQuestion['patient'],
): ProblemError | undefined {
  const errors = planned.flatMap(({ date, time, conflict }, index): FieldError[] =>
    conflict === undefined
      ? []
      : [{ field: `${field}.${index}`, message: `${formatDate(date)} at ${formatTime(time)}: ${conflict}` }],
  );
  if (errors.length === 0) return undefined;
  const detail = `${errors.map(({ message }) => message).join('. ')}. Nothing has been changed.`;
  const code = planned.some(({ conflict }) => conflict === someoneElse) ? 'slot_taken' : 'validation_failed';
  return new ProblemError(code, { detail, errors, tells: { what: 'appointments', of: patientOf(patient) } });
}

/** Maps the duplicate key error of the loser of a race for one of the times to a problem; throws others unchanged. */
export function explainLostRace(error: unknown): never {
  if (!isDuplicateKey(error)) throw error;
  throw new ProblemError('slot_taken', {
    detail: 'Someone else has just booked one of these times. Nothing has been changed. Check the dates and try again.',
  });
}
