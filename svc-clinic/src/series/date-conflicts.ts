import {
  addDays,
  formatDate,
  formatTime,
  type ClinicMoment,
  type FieldError,
  type PlannedDate,
} from '@clinic/contracts';
import { isDuplicateKey, ProblemError } from '@clinic/service-kit';
import type { ClientSession, ObjectId } from 'mongodb';
import { freeSlotsOfDay, isHeld } from '../appointments/free-times.ts';
import { assertFreeThen, type SameTimeQuestion } from '../appointments/same-time.ts';
import { slotRejections } from '../appointments/requested-slot.ts';
import { heldSlots } from '../appointments/taken-times.ts';
import type { ClinicClock } from '../clinic-clock.ts';
import type { ClinicCollections } from '../collections.ts';
import type { DoctorRecord } from '../doctors/doctor-record.ts';
import { minutesBetween } from '../schedule/local-time.ts';
import { hoursOf, workingDay } from '../schedule/working-times.ts';

/** Days before and after a date within which to find an alternative. */
const nearDays = 14;

const taken = 'Someone else has this time';

/** What decides whether dates can be booked. */
export interface DateQuestion {
  readonly collections: ClinicCollections;
  readonly doctor: DoctorRecord;
  readonly patient: Pick<SameTimeQuestion['requested'], 'patientId' | 'patientEmail'>;
  /** With the holidays. */
  readonly clock: ClinicClock;
  readonly alsoThen?: boolean | undefined;
  readonly requester: SameTimeQuestion['requester'];
  /** Appointments that move to another time: their old times count as free. */
  readonly moving?: readonly { readonly _id: ObjectId }[];
}

type TakenOn = (date: string) => readonly string[];

/** The held times by day, with one query through the slot index. */
async function readTaken(
  { collections, doctor, moving = [], clock }: DateQuestion,
  dates: readonly ClinicMoment[],
  session: ClientSession,
): Promise<TakenOn> {
  const days = dates.map(({ date }) => date).toSorted();
  const first = addDays(days[0] ?? clock.today, -nearDays);
  const last = addDays(days.at(-1) ?? clock.today, nearDays);
  const held = await collections.appointments
    .find(
      {
        // Nothing before today or after the horizon can be booked anyway.
        ...heldSlots(
          doctor.email,
          first < clock.today ? clock.today : first,
          last > clock.bookableUntil ? clock.bookableUntil : last,
        ),
        _id: { $nin: moving.map(({ _id }) => _id) },
      },
      { session, projection: { _id: 0, date: 1, time: 1 } },
    )
    .toArray();
  const byDay = Map.groupBy(held, ({ date }) => date);
  return (date) => (byDay.get(date) ?? []).map(({ time }) => time);
}

/** Why a date can't be booked, in the booking rule's words; `undefined` if it can. */
function conflictOf(
  { doctor, clock }: DateQuestion,
  { date, time }: ClinicMoment,
  takenOn: TakenOn,
): string | undefined {
  const rejections = slotRejections(doctor, { date, time }, clock);
  if (rejections.length > 0) return rejections.map(({ message }) => message).join('. ');
  const times = takenOn(date);
  if (times.includes(time)) return taken;
  if (!hoursOf(doctor)) return undefined;
  const { slots } = workingDay(doctor, date, clock);
  const slot = slots.find((one) => one.time === time);
  return slot && isHeld(slot, slots, times) ? taken : undefined;
}

/** The patient's appointment with another doctor at that time, in words. */
async function sameTimeConflict(
  { collections, clock, doctor, patient, alsoThen, requester, moving }: DateQuestion,
  { date, time }: ClinicMoment,
  id: ObjectId,
  session: ClientSession,
): Promise<string | undefined> {
  const requested = { ...patient, _id: moving?.[0]?._id ?? id, doctorEmail: doctor.email, date, time };
  try {
    await assertFreeThen({ collections, clock, requested, alsoThen, requester }, session);
    return undefined;
  } catch (error) {
    if (error instanceof ProblemError) return error.message;
    throw error;
  }
}

/** The free time nearest to a date: on its day, or else on the nearest day, at the nearest time. */
function alternativeTo(
  { doctor, clock }: DateQuestion,
  { date, time }: ClinicMoment,
  takenOn: TakenOn,
  used: ReadonlySet<string>,
): ClinicMoment | undefined {
  const distance = (other: string): number => Math.abs(minutesBetween(time, other));
  for (const offset of daysAround) {
    const day = addDays(date, offset);
    const { slots, anyTime } = freeSlotsOfDay(doctor, day, takenOn(day), clock);
    const times = anyTime
      ? [time].filter(
          (one) => slotRejections(doctor, { date: day, time: one }, clock).length === 0 && !takenOn(day).includes(one),
        )
      : slots.map((slot) => slot.time);
    const [nearest] = times
      .filter((one) => !used.has(`${day} ${one}`))
      .toSorted((one, other) => distance(one) - distance(other));
    if (nearest !== undefined) return { date: day, time: nearest };
  }
  return undefined;
}

const daysAround = [0, ...Array.from({ length: nearDays }, (_, index) => [index + 1, -index - 1]).flat()];

/**
 * Works out for each date whether it can be booked, and if not, why not and the nearest free time. No alternative is
 * another of the dates, or given twice.
 *
 * @param placeholder - an id that no appointment has
 */
export async function planDates(
  question: DateQuestion,
  dates: readonly ClinicMoment[],
  placeholder: ObjectId,
  session: ClientSession,
): Promise<PlannedDate[]> {
  const takenOn = await readTaken(question, dates, session);
  const used = new Set(dates.map(({ date, time }) => `${date} ${time}`));
  const planned: PlannedDate[] = [];
  for (const slot of dates) {
    const { date, time } = slot;
    const conflict =
      conflictOf(question, slot, takenOn) ?? (await sameTimeConflict(question, slot, placeholder, session));
    const alternative = conflict === undefined ? undefined : alternativeTo(question, slot, takenOn, used);
    if (alternative) used.add(`${alternative.date} ${alternative.time}`);
    planned.push({ date, time, ...(conflict !== undefined && { conflict }), ...(alternative && { alternative }) });
  }
  return planned;
}

/**
 * The problem that names every date with a conflict; `undefined` if there is none.
 *
 * @param field - of the list of dates in the request
 */
export function conflictProblem(planned: readonly PlannedDate[], field: string): ProblemError | undefined {
  const errors = planned.flatMap(({ date, time, conflict }, index): FieldError[] =>
    conflict === undefined
      ? []
      : [{ field: `${field}.${index}`, message: `${formatDate(date)} at ${formatTime(time)}: ${conflict}` }],
  );
  if (errors.length === 0) return undefined;
  const detail = `${errors.map(({ message }) => message).join('. ')}. Nothing has been changed.`;
  return planned.some(({ conflict }) => conflict === taken)
    ? new ProblemError('slot_taken', { detail, errors })
    : new ProblemError('validation_failed', { detail, errors });
}

/** Maps the duplicate key error of the loser of a race for one of the times to a problem; throws others unchanged. */
export function explainLostRace(error: unknown): never {
  if (!isDuplicateKey(error)) throw error;
  throw new ProblemError('slot_taken', {
    detail: 'Someone else has just booked one of these times. Nothing has been changed. Check the dates and try again.',
  });
}
