import { isAllowed, type ParsedBody } from '@clinic/contracts';
import { isErasedEmail } from '@clinic/contracts/erased-person';
import { ProblemError, refused } from '@clinic/service-kit';
import { ObjectId, type ClientSession } from 'mongodb';
import { z } from 'zod';
import { assertNotBegun } from '../attendance/change-attendance.ts';
import { isPast } from '../clinic-clock.ts';
import { appointmentStatus } from '../contract/appointment-schema.ts';
import { desk } from '../contract/desk.ts';
import type { Appointment } from '../contract/schemas.ts';
import { appointmentTransitions } from '../contract/transitions.ts';
import { aboutAppointment, lastChangeOf } from '../record-change.ts';
import { countAppointment } from '../reports/appointment-rollups.ts';
import { appointmentById, type AppointmentChange, type ChangeOfSeveral } from './appointment-change.ts';
import { ownershipOf, toAppointment, type AppointmentRecord } from './appointment-record.ts';
import { visitOf } from './promise.ts';
import { assertStillFree } from './requested-slot.ts';
import { assertFreeThen, takePatientLock } from './same-time.ts';

/** Milliseconds in which staff can take a status back: svc-messages holds its message for longer, so nobody has been told. */
const undoableFor = 45_000;

const moment = z.object({ date: z.string(), time: z.string() });
/** What the history has of an appointment before a change of its status. */
export const beforeChange = z.object({ status: appointmentStatus, movedFrom: moment.optional() });
const afterChange = z.object({ status: appointmentStatus });

type Undone = ParsedBody<'undoStatusChanges'>['changes'][number];

/**
 * Takes back confirmations and cancellations that the caller has just made, all or none. A cancelled appointment gets its
 * time again, unless somebody else has it by now; the index over the doctor's minutes decides. Its place on the waitlist for
 * an earlier time stays ended. No message: that of the change is dropped, as svc-messages finds another status. What the
 * caller has taken back already succeeds and changes nothing.
 *
 * @param session - the transaction of all changes
 * @throws ProblemError `not_found`; `forbidden` for others' appointments; `changed_meanwhile`; `transition_refused` if there
 *   is nothing to take back, or it is too late; `slot_taken`; `too_many_appointments`, see `assertFreeThen`
 * @throws MongoServerError 11000 if somebody gets one of the times at the same moment; see `explainLostRace`
 */
export async function undoStatusChanges(
  change: ChangeOfSeveral,
  { changes }: ParsedBody<'undoStatusChanges'>,
  session: ClientSession,
): Promise<Appointment[]> {
  const undone: Appointment[] = [];
  for (const { id, seen } of changes) undone.push(await undoOne({ ...change, id: new ObjectId(id) }, seen, session));
  return undone;
}

async function undoOne(change: AppointmentChange, seen: Undone['seen'], session: ClientSession): Promise<Appointment> {
  const { db, collections, id, caller, clock, rules } = change;
  const record = await appointmentById(collections, id, session);
  change.assertMayTouch(ownershipOf(record));
  // The response to the first request may have been lost.
  if (await isTakenBack(change, record, seen, session)) return toAppointment(record, rules, caller);
  if (seen.status !== record.status || seen.date !== record.date || seen.time !== record.time)
    throw new ProblemError('changed_meanwhile', {
      detail: 'Someone else has just changed this appointment. Check it and try again.',
    });
  const before = await stateBefore(change, record, session);
  assertNotBegun(record);
  if (isPast(record, clock)) throw refused('This appointment’s time is past by now.');
  if (record.status === 'Cancelled') {
    const doctor = await collections.doctors.findOne({ email: record.doctorEmail }, { session });
    if (!doctor || doctor.suspended === true) throw refused('The doctor it was with no longer works here.');
    await assertStillFree(collections, { ...record, ...visitOf(record) }, clock, [record._id], session);
    if (isErasedEmail(record.patientEmail) || !(await takePatientLock({ db }, session, record)))
      throw refused('This patient’s details have been deleted.');
  }
  const { movedFrom: _now, ...kept } = record;
  const back: AppointmentRecord = { ...kept, ...before };
  const { matchedCount } = await collections.appointments.updateOne(
    { _id: id, status: record.status, date: record.date, time: record.time, doctorEmail: record.doctorEmail },
    { $set: { ...before, changedAt: clock.now }, $inc: { sequence: 1 } },
    { session },
  );
  if (matchedCount === 0) throw refused('Someone else has just changed this appointment.');
  if (record.status === 'Cancelled')
    await assertFreeThen(
      // Both were there before.
      { collections, clock, requested: back, alsoThen: true, requester: isAllowed(caller, desk) ? 'admin' : 'doctor' },
      session,
    );
  await countAppointment(collections, record, back, session);
  await change.recordChange(session, {
    ...aboutAppointment(record),
    action: 'status changed',
    before: { status: record.status },
    after: { status: back.status },
  });
  return toAppointment(back, rules, caller);
}

/** What the history says of an appointment before the caller's last change of its status. */
async function stateBefore(
  change: AppointmentChange,
  record: AppointmentRecord,
  session: ClientSession,
): Promise<z.output<typeof beforeChange>> {
  const before = await ownLastChange(change, record, session);
  // What was taken back isn't a change to take back.
  if (!before || !isForward(before.status, record.status)) throw refused('This can’t be undone any more.');
  return before;
}

/** Whether the caller's last change has taken back what they saw. */
async function isTakenBack(
  change: AppointmentChange,
  record: AppointmentRecord,
  seen: Undone['seen'],
  session: ClientSession,
): Promise<boolean> {
  if (seen.status === record.status || seen.date !== record.date || seen.time !== record.time) return false;
  const before = await ownLastChange(change, record, session);
  return before?.status === seen.status && !isForward(before.status, record.status);
}

const isForward = (before: AppointmentRecord['status'], after: AppointmentRecord['status']): boolean =>
  after in appointmentTransitions[before];

/** What the last entry of the history has before it, if it is a change of the status by the caller that can be undone yet. */
async function ownLastChange(
  { db, caller, clock }: AppointmentChange,
  record: AppointmentRecord,
  session: ClientSession,
): Promise<z.output<typeof beforeChange> | undefined> {
  const last = await lastChangeOf(db, record, session);
  const age = clock.now.getTime() - (last?.at.getTime() ?? 0);
  const mine = last?.action === 'status changed' && last.actor?.id === caller.id && age <= undoableFor;
  return mine && afterChange.safeParse(last.after).data?.status === record.status
    ? beforeChange.safeParse(last.before).data
    : undefined;
}
