import { isFinal, type ParsedBody } from '@clinic/contracts';
import type { OutsideAppointment } from '../contract/schedule-schemas.ts';
import { refused } from '@clinic/service-kit';
import type { ClientSession } from 'mongodb';
import { z } from 'zod';
import {
  appointmentById,
  assertNotMoved,
  changedMeanwhile,
  finalStatus,
  type AppointmentChange,
} from '../appointments/appointment-change.ts';
import { ownershipOf, type AppointmentRecord } from '../appointments/appointment-record.ts';
import { changeAppointmentStatus } from '../appointments/change-appointment-status.ts';
import { moveToColleague } from '../appointments/move-to-colleague.ts';
import { rescheduleAppointment } from '../appointments/reschedule-appointment.ts';
import { appointmentTransitions } from '../contract/transitions.ts';
import { misfitOf } from '../doctors/appointments-outside-times.ts';
import { withHolidays } from './holidays.ts';
import { toOutside } from './outside-appointment.ts';
import { aboutAppointment, lastChangeOf } from '../record-change.ts';

/**
 * Carries out the staff's decision about an appointment outside its doctor's hours. The decision is about the
 * appointment as they saw it: of two people who decide at once, the second gets a conflict, and nothing of the first
 * decision is lost.
 *
 * A doctor may move such an appointment to a colleague; otherwise only admins do that.
 *
 * @param session - the transaction of record and event
 * @throws ProblemError `not_found`; `changed_meanwhile`; `transition_refused` if it is cancelled or within the hours;
 *   and those of `rescheduleAppointment`, `moveToColleague` and `changeAppointmentStatus`
 * @throws MongoServerError 11000 if the slot is held; see `explainTakenSlot`
 */
export async function settleOutside(
  change: AppointmentChange,
  { seen, decision }: ParsedBody<'settleOutside'>,
  session: ClientSession,
): Promise<OutsideAppointment> {
  const record = await appointmentById(change.collections, change.id, session);
  if (await isDone(change, record, { seen, decision }, session)) return toOutside(record);
  change.assertMayTouch(ownershipOf(record));
  assertNotMoved(record, seen);
  if (isFinal(appointmentTransitions, record.status)) throw finalStatus(record.status);
  await assertOutside(change, record, session);
  switch (decision.act) {
    case 'keep':
      await keep(change, record, session);
      break;
    case 'cancel':
      await changeAppointmentStatus(change, { newStatus: 'Cancelled', patientChoice: decision.patientChoice }, session);
      break;
    case 'move': {
      const { doctoremail = record.doctorEmail, date, time, patientChoice, alsoThen } = decision;
      if (doctoremail === record.doctorEmail)
        await rescheduleAppointment({ ...change, adoptsHours: true }, { date, time, alsoThen }, session, patientChoice);
      else await moveToColleague(change, { doctoremail, date, time, patientChoice, alsoThen }, session);
    }
  }
  const settled = await change.collections.appointments.findOne({ _id: record._id }, { session });
  return toOutside(settled ?? record);
}

/** What the history calls each decision. */
const actions: Readonly<Record<ParsedBody<'settleOutside'>['decision']['act'], readonly string[]>> = {
  keep: ['kept outside hours'],
  cancel: ['status changed'],
  move: ['rescheduled', 'moved to a colleague'],
};

/** What the history has of each decision; where the appointment was only if it has moved. */
const decided = z.object({
  before: z.object({ date: z.string(), time: z.string(), doctoremail: z.string() }).partial(),
  after: z.object({ patientChoice: z.string().optional() }),
});

/**
 * Whether the last entry of the appointment's history is this decision of the caller, whose response was lost. Whoever has
 * handed the appointment over has no access to it any more, except for this.
 */
async function isDone(
  { db, caller }: AppointmentChange,
  record: AppointmentRecord,
  { seen, decision }: ParsedBody<'settleOutside'>,
  session: ClientSession,
): Promise<boolean> {
  const last = await lastChangeOf(db, record, session);
  if (last?.call !== 'settleOutside' || last.actor?.id !== caller.id || !actions[decision.act].includes(last.action))
    return false;
  const { before, after } = decided.parse(last);
  const from = { ...seen, ...before };
  const { patientChoice, ...to } = { patientChoice: undefined, ...seen, ...decision };
  return (
    after.patientChoice === patientChoice &&
    isSame(from, seen) &&
    isSame(to, { ...record, doctoremail: record.doctorEmail })
  );
}

type Place = { readonly [Part in keyof ParsedBody<'settleOutside'>['seen']]?: string | undefined };

const isSame = (one: Place, other: Place): boolean =>
  one.doctoremail === other.doctoremail && one.date === other.date && one.time === other.time;

async function assertOutside(
  { collections, clock }: AppointmentChange,
  record: AppointmentRecord,
  session: ClientSession,
): Promise<void> {
  const doctor = await collections.doctors.findOne({ email: record.doctorEmail }, { session });
  // Without a profile there are no hours that it could be within.
  if (!doctor || misfitOf(record, doctor, await withHolidays(clock, collections, session))) return;
  throw refused('This appointment is within the doctor’s hours, or somebody has decided to keep it.');
}

async function keep(change: AppointmentChange, record: AppointmentRecord, session: ClientSession): Promise<void> {
  const { _id, status, date, time, doctorEmail } = record;
  const { matchedCount } = await change.collections.appointments.updateOne(
    { _id, status, date, time, doctorEmail },
    { $set: { keptAt: { date, time } } },
    { session },
  );
  if (matchedCount === 0) throw changedMeanwhile();
  await change.recordChange(session, {
    ...aboutAppointment(record),
    action: 'kept outside hours',
    before: {},
    after: { date, time },
  });
}
