import { isFinal, type CallResponse, type ClinicMoment, type ParsedBody } from '@clinic/contracts';
import type { Appointment } from '../contract/schemas.ts';
import type { PlannedDate } from '../contract/series-calls.ts';
import { ProblemError, refused } from '@clinic/service-kit';
import type { ClientSession } from 'mongodb';
import {
  actorsOf,
  actsAsPatient,
  assertNotMoved,
  finalStatus,
  findForChange,
  whyTooLate,
  type AppointmentChange,
} from '../appointments/appointment-change.ts';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import { changeAppointmentStatus } from '../appointments/change-appointment-status.ts';
import { whyOver, whyStays } from '../attendance/change-attendance.ts';
import { moveToSlot } from '../appointments/reschedule-appointment.ts';
import { forStaff, isPast } from '../clinic-clock.ts';
import { appointmentTransitions, slotHoldingStatuses } from '../contract/transitions.ts';
import { withHolidays } from '../schedule/holidays.ts';
import { freeSlotOf } from '../waitlist/free-slot.ts';
import { conflictProblem, planDates } from './date-conflicts.ts';
import { shifted } from './series-dates.ts';

type Requested = ParsedBody<'changeSeries'>;
type Move = Extract<Requested['change'], { readonly act: 'move' }>;

/**
 * Moves or cancels an appointment of a series and those that follow, all or none. Those that are past, cancelled or now
 * with another doctor stay unchanged, and so do those that are at their new time already. Each change is the same as if it were made alone, with its own event.
 *
 * @param session - the transaction of all changes
 * @returns those that have changed
 * @throws ProblemError `not_found`, `forbidden`; `changed_meanwhile`; `transition_refused` if it is cancelled or not
 *   part of a series; `slot_taken` or `validation_failed` naming every date with a conflict; and those of
 *   `changeAppointmentStatus` and `moveToSlot`
 * @throws MongoServerError 11000 if somebody books one of the times at the same moment; see `explainLostRace`
 */
export async function changeSeries(
  change: AppointmentChange,
  { seen, following: shown, change: requested }: Requested,
  session: ClientSession,
): Promise<Appointment[]> {
  const first = await findForChange(change, session);
  assertNotMoved(first, seen);
  if (isFinal(appointmentTransitions, first.status)) throw finalStatus(first.status);
  const following = await followingOf(first, change, session);
  if (shown) assertAsShown(following, shown);
  if (requested.act === 'move') return moveAll(change, first, following, requested, session);
  const cancelled: Appointment[] = [];
  for (const { _id: id } of following)
    cancelled.push(
      await changeAppointmentStatus(
        { ...change, id },
        { newStatus: 'Cancelled', patientChoice: requested.patientChoice },
        session,
      ),
    );
  return cancelled;
}

/**
 * What {@link changeSeries} would change, and why it can't.
 *
 * @param to - the new date and time of the first; absent: they are cancelled
 * @throws ProblemError `not_found`, `forbidden`; `transition_refused` if it is cancelled or not part of a series
 */
export async function previewFollowing(
  change: AppointmentChange,
  { to }: ParsedBody<'previewFollowing'>,
  session: ClientSession,
): Promise<{ readonly first: AppointmentRecord; readonly visits: CallResponse<'previewFollowing'>['visits'] }> {
  const first = await findForChange(change, session);
  if (isFinal(appointmentTransitions, first.status)) throw finalStatus(first.status);
  const following = await followingOf(first, change, session);
  const planned = to && (await planMoves(change, first, following, { ...to, alsoThen: undefined }, session));
  const visits = following.map((one, index) => {
    const plan = planned?.[index];
    const over = whyOver(one, to ? 'moved' : 'Cancelled', change.clock);
    const conflict = isAt(one, plan) ? undefined : (whyStays(one) ?? whyTooLate(one, change) ?? over ?? plan?.conflict);
    return {
      _id: one._id.toHexString(),
      date: one.date,
      time: one.time,
      ...(plan && { to: { date: plan.date, time: plan.time } }),
      ...(conflict !== undefined && { conflict }),
    };
  });
  return { first, visits };
}

function assertAsShown(following: readonly AppointmentRecord[], shown: NonNullable<Requested['following']>): void {
  const slots = new Map(shown.map(({ id, seen: { date, time } }) => [id, `${date} ${time}`]));
  const same = following.every(({ _id, date, time }) => slots.get(_id.toHexString()) === `${date} ${time}`);
  if (same && slots.size === following.length) return;
  throw new ProblemError('changed_meanwhile', {
    detail: 'Someone else has just changed one of these appointments. Check them and try again.',
  });
}

/** The appointment and those after it in its series that can still be changed, in order of their dates. */
async function followingOf(
  first: AppointmentRecord,
  { collections, clock }: AppointmentChange,
  session: ClientSession,
): Promise<AppointmentRecord[]> {
  if (!first.series) throw refused('This appointment isn’t part of a series.');
  const { id, number } = first.series;
  const found = await collections.appointments
    .find(
      {
        'series.id': id,
        'series.number': { $gte: number },
        doctorEmail: first.doctorEmail,
        status: { $in: [...slotHoldingStatuses] },
      },
      { session },
    )
    .toArray();
  return found
    .filter((one) => one._id.equals(first._id) || !isPast(one, clock))
    .toSorted((one, other) => one.date.localeCompare(other.date) || one.time.localeCompare(other.time));
}

const isAt = (one: ClinicMoment, slot: ClinicMoment | undefined): boolean =>
  one.date === slot?.date && one.time === slot.time;

/** Where the appointments would go, and what is in the way: nothing, if one is there already. */
async function planMoves(
  change: AppointmentChange,
  first: AppointmentRecord,
  following: readonly AppointmentRecord[],
  { date, time, alsoThen }: Pick<Move, 'date' | 'time' | 'alsoThen'>,
  session: ClientSession,
): Promise<PlannedDate[]> {
  if (actsAsPatient(first, change.caller))
    throw new ProblemError('forbidden', { detail: 'Move your appointments one by one, or call the clinic.' });
  const { collections, caller } = change;
  const clock = await withHolidays(forStaff(change.clock), collections, session);
  const doctor = await collections.doctors.findOne({ email: first.doctorEmail }, { session });
  if (!doctor) throw new ProblemError('not_found', { detail: 'This doctor no longer works here.' });
  const places = following.map((one) => ({ date: shifted(one.date, first.date, date), time }));
  const requester = actorsOf(first, caller).includes('admin') ? 'admin' : 'doctor';
  const planned = await planDates(
    { collections, doctor, patient: first, clock, alsoThen, requester, moving: following, judgesOnly: true },
    places,
    session,
  );
  return planned.map((plan, index) => (isAt(plan, following[index]) ? { date: plan.date, time: plan.time } : plan));
}

async function moveAll(
  change: AppointmentChange,
  first: AppointmentRecord,
  following: readonly AppointmentRecord[],
  { date, time, alsoThen }: Move,
  session: ClientSession,
): Promise<Appointment[]> {
  const { collections } = change;
  const planned = await planMoves(change, first, following, { date, time, alsoThen }, session);
  const problem = conflictProblem(planned, 'following', first);
  if (problem) throw problem;
  // One may move to the time of another, which still holds it.
  const moves = following
    .map((one, index) => ({ id: one._id, from: one, slot: planned[index] ?? { date, time } }))
    .filter(({ from, slot }) => !isAt(from, slot));
  const ids = moves.map(({ id }) => id);
  await collections.appointments.updateMany({ _id: { $in: ids } }, { $unset: { cells: '' } }, { session });
  // For the index over equal starts, which the previous release needs: moving later ones first makes room.
  if (date > first.date || (date === first.date && time > first.time)) moves.reverse();
  const moved: Appointment[] = [];
  const left: AppointmentRecord[] = [];
  for (const { id, slot } of moves) {
    const one = await moveToSlot(
      { ...change, id, movingTogether: ids },
      { date: slot.date, time: slot.time, alsoThen },
      session,
    );
    moved.push(one.appointment);
    if (one.left) left.push(one.left);
  }
  // Only now: slots that others of the series have moved to aren't offered.
  for (const record of left) await freeSlotOf(change, record, session);
  return moved.toSorted((one, other) => one.date.localeCompare(other.date));
}
