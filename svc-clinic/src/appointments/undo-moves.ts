import { isFinal, type ClinicMoment, type ParsedBody } from '@clinic/contracts';
import type { Appointment } from '../contract/schemas.ts';
import { type HistoryEvent, ProblemError, refused } from '@clinic/service-kit';
import { ObjectId, type ClientSession } from 'mongodb';
import { z } from 'zod';
import { isPast } from '../clinic-clock.ts';
import { isWaiting } from '../contract/attendance.ts';
import { appointmentTransitions } from '../contract/transitions.ts';
import type { DoctorRecord } from '../doctors/doctor-record.ts';
import { freeSlotOf } from '../waitlist/free-slot.ts';
import {
  appointmentById,
  assertNotMoved,
  finalStatus,
  type AppointmentChange,
  type ChangeOfSeveral,
} from './appointment-change.ts';
import { ownershipOf, toAppointment, type AppointmentRecord } from './appointment-record.ts';
import { handOver } from './move-to-colleague.ts';
import { visitOf, type Visit } from './promise.ts';
import { assertStillFree } from './requested-slot.ts';
import { putInSlot } from './reschedule-appointment.ts';
import { takePatientLock } from './same-time.ts';

/** Milliseconds in which staff can take their own moves back. */
const undoableFor = 600_000;

const gone = 'The doctor it was with no longer works here.';

const moment = z.object({ date: z.string(), time: z.string() });

/** What the history says of an appointment before a move by staff; a move by its patient changes the status. */
const beforeMove = moment.extend({
  doctoremail: z.string().optional(),
  minutes: z.number().optional(),
  place: z.string().optional(),
  movedFrom: moment.optional(),
  keptAt: moment.optional(),
  status: z.undefined().optional(),
});

/** A move to take back. */
interface Undo {
  readonly change: AppointmentChange;
  readonly record: AppointmentRecord;
  /** Only if the move was to a colleague. */
  readonly doctor?: DoctorRecord;
  readonly slot: ClinicMoment & Visit & { readonly [Mark in 'movedFrom' | 'keptAt']: ClinicMoment | undefined };
}

/**
 * Takes back moves and hand-overs that the caller has just made, all or none. Each appointment gets what its patient was
 * promised before, as the history has it, whatever the hours are now. The patient hears nothing if the message of the
 * move hasn't gone out yet.
 *
 * @param session - the transaction of all changes
 * @throws ProblemError `not_found`; `forbidden` for others' moves; `changed_meanwhile`; `transition_refused` if there is
 *   nothing to take back, it is too late, or the doctor has left; `slot_taken` if an old time is somebody else's by now
 * @throws MongoServerError 11000 if somebody gets one of the times at the same moment; see `explainLostRace`
 */
export async function undoMoves(
  change: ChangeOfSeveral,
  { moves }: ParsedBody<'undoMoves'>,
  session: ClientSession,
): Promise<Appointment[]> {
  const { collections, caller, rules } = change;
  const undos: Undo[] = [];
  const before: AppointmentRecord[] = [];
  for (const { id, seen } of moves) {
    const undo = await undoOf({ ...change, id: new ObjectId(id) }, seen, session);
    if ('slot' in undo) undos.push(undo);
    else before.push(undo.takenBack);
  }
  const ids = undos.map(({ record }) => record._id);
  // One may go back to the time of another, which still holds it.
  await collections.appointments.updateMany({ _id: { $in: ids } }, { $unset: { cells: '' } }, { session });
  const undone: Appointment[] = before.map((record) => toAppointment(record, rules, caller));
  for (const undo of inOrder(undos)) undone.push(toAppointment(await takeBack(undo, ids, session), rules, caller));
  for (const { record } of undos) await freeSlotOf(change, record, session);
  return undone;
}

async function undoOf(
  change: AppointmentChange,
  seen: ParsedBody<'undoMoves'>['moves'][number]['seen'],
  session: ClientSession,
): Promise<Undo | { readonly takenBack: AppointmentRecord }> {
  const { db, collections, id, caller, clock } = change;
  const record = await appointmentById(collections, id, session);
  const [move, earlier] = await db
    .collection<HistoryEvent>('events')
    .find({ 'record.type': 'appointment', 'record.id': id.toHexString() }, { session })
    .sort({ at: -1, _id: -1 })
    .limit(2)
    .map((event) => (event.action === 'rescheduled' || event.action === 'moved to a colleague' ? event : undefined))
    .toArray();
  const mover = move?.actor?.id;
  // Whoever hands an appointment over has no access to it any more, except for this.
  change.assertMayTouch({ ...ownershipOf(record), ...(mover !== undefined && { doctor: mover }) });
  // The response to the first request may have been lost.
  if (mover === caller.id && led(move, seen, record) && led(earlier, record, seen)) return { takenBack: record };
  assertNotMoved(record, seen);
  if (isFinal(appointmentTransitions, record.status)) throw finalStatus(record.status);
  const before = beforeMove.safeParse(move?.before).data;
  const age = clock.now.getTime() - (move?.at.getTime() ?? 0);
  if (!before || mover !== caller.id || age > undoableFor)
    throw refused('This can’t be undone any more. Move the appointment instead.');
  const { date, time, movedFrom, keptAt, doctoremail, ...visit } = before;
  const { attendance } = record;
  const waits = attendance?.date === date && isWaiting(attendance.state);
  if (!waits && isPast({ date, time }, clock)) throw refused('The old time is past by now.');
  const slot = { date, time, movedFrom, keptAt, ...visitOf(record), ...definedOf(visit) };
  if (doctoremail === undefined) return { change, record, slot };
  const doctor = await collections.doctors.findOne({ email: doctoremail }, { session });
  if (!doctor) throw new ProblemError('not_found', { detail: gone });
  // Whoever leaves keeps a profile until the last visit is handed over.
  if (doctor.suspended === true) throw refused(gone);
  return { change, record, doctor, slot };
}

type Place = ClinicMoment & { readonly doctorEmail?: string; readonly doctoremail?: string };

const doctorAt = ({ doctorEmail, doctoremail = doctorEmail }: Place): string | undefined => doctoremail;

/** Whether a move led from one place to another. */
function led(move: HistoryEvent | undefined, from: Place, to: Place): boolean {
  const before = beforeMove.safeParse(move?.before).data;
  return (
    before !== undefined &&
    before.date === from.date &&
    before.time === from.time &&
    (before.doctoremail ?? doctorAt(to)) === doctorAt(from)
  );
}

const definedOf = ({ minutes, place }: Partial<Visit>): Partial<Visit> => ({
  ...(minutes !== undefined && { minutes }),
  ...(place !== undefined && { place }),
});

/** For the index over equal starts, which the previous release needs: first those whose old time no other one is at. */
function inOrder(undos: readonly Undo[]): Undo[] {
  const left = [...undos];
  const ordered: Undo[] = [];
  const isAt = (one: Undo, { doctor, record, slot }: Undo): boolean =>
    one.record.doctorEmail === (doctor?.email ?? record.doctorEmail) &&
    one.record.date === slot.date &&
    one.record.time === slot.time;
  while (left.length > 0) {
    const free = left.findIndex((undo) => !left.some((other) => other !== undo && isAt(other, undo)));
    ordered.push(...left.splice(Math.max(0, free), 1));
  }
  return ordered;
}

async function takeBack(
  { change, record, doctor, slot }: Undo,
  moving: readonly ObjectId[],
  session: ClientSession,
): Promise<AppointmentRecord> {
  const { db, collections, clock } = change;
  const there = { ...slot, doctorEmail: doctor?.email ?? record.doctorEmail };
  await assertStillFree(collections, there, clock, moving, session);
  await takePatientLock({ db }, session, record);
  // Both were there before the move.
  const alsoThen = true;
  return doctor
    ? handOver(change, record, { ...slot, doctor, alsoThen }, session)
    : putInSlot(change, record, { ...slot, status: record.status, alsoThen, byPatient: false }, session);
}
