import { addDays, hasRole, type CallResponse, type Caller } from '@clinic/contracts';
import type { ClientSession, ObjectId } from 'mongodb';
import { appointmentsById } from '../appointments/appointment-change.ts';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import { intervalOf } from '../appointments/promise.ts';
import { isSamePatient, openOfPatients } from '../appointments/same-time.ts';
import { nothingTaken, takenTime, type TakenTime } from '../appointments/taken-times.ts';
import { forStaff, type ClinicClock } from '../clinic-clock.ts';
import type { ClinicCollections } from '../collections.ts';
import { nearDays, planDates, type DateQuestion } from '../series/date-conflicts.ts';
import { withHolidays } from './holidays.ts';
import { workingSlotAt } from './working-times.ts';

interface MovesQuestion {
  readonly collections: ClinicCollections;
  readonly clock: ClinicClock;
  readonly caller: Caller;
  readonly ids: readonly ObjectId[];
  /** Throws if the caller has no access to an appointment. */
  readonly assertMayTouch: (record: AppointmentRecord) => void;
}

/**
 * Proposes for each of some appointments the nearest time of its doctor at which a move would be accepted: its own, if the
 * hours still have that. No time is proposed twice, and the times that they leave count as free.
 *
 * @param session - the transaction that reads
 * @throws ProblemError `not_found`, `forbidden`
 */
export async function proposeMoves(
  { collections, clock: today, caller, ids, assertMayTouch }: MovesQuestion,
  session: ClientSession,
): Promise<CallResponse<'proposeMoves'>> {
  const records = await appointmentsById(collections, ids, session);
  for (const record of records) assertMayTouch(record);
  const clock = await withHolidays(forStaff(today), collections, session);
  const requester = hasRole(caller, ['admin']) ? 'admin' : 'doctor';
  const doctors = await collections.doctors
    .find({ email: { $in: [...new Set(records.map(({ doctorEmail }) => doctorEmail))] } }, { session })
    .toArray();
  const known = new Map<string, Known>();
  for (const [email, own] of Map.groupBy(records, ({ doctorEmail }) => doctorEmail))
    known.set(email, await knownOf({ collections, clock, moving: ids }, email, own, session));
  const meant = new Map<string, TakenTime>();
  const proposed: CallResponse<'proposeMoves'> = [];
  for (const record of records) {
    const { _id, date, time, doctorEmail } = record;
    const doctor = doctors.find(({ email }) => email === doctorEmail);
    const others = meant.get(doctorEmail) ?? nothingTaken;
    const [planned] = doctor
      ? await planDates(
          {
            collections,
            doctor,
            patient: record,
            clock,
            requester,
            meant: others,
            known: known.get(doctorEmail)?.(record),
          },
          [{ date, time }],
          session,
        )
      : [];
    const to = planned?.conflict === undefined ? planned : planned.alternative;
    const slot = doctor && to && workingSlotAt(doctor, to, clock);
    if (slot) meant.set(doctorEmail, others.with([intervalOf(to, slot.minutes, clock.timeZone)]));
    proposed.push({ _id: _id.toHexString(), ...(slot && { to: { date: to.date, time: to.time } }) });
  }
  return proposed;
}

/** What is taken around an appointment, with its doctor and with its patient. */
type Known = (record: AppointmentRecord) => NonNullable<DateQuestion['known']>;

/** Reads for all appointments of a doctor at once, with two queries, what is taken within the days of their proposals. */
async function knownOf(
  {
    collections,
    clock,
    moving,
  }: Pick<DateQuestion, 'collections' | 'clock'> & { readonly moving: readonly ObjectId[] },
  doctorEmail: string,
  records: readonly AppointmentRecord[],
  session: ClientSession,
): Promise<Known> {
  const days = records.map(({ date }) => date).toSorted();
  const period = {
    from: addDays(days[0] ?? clock.today, -nearDays),
    until: addDays(days.at(-1) ?? clock.today, nearDays),
  };
  const { timeZone } = clock;
  const taken = await takenTime(collections.appointments, doctorEmail, period, timeZone, {
    session,
    apartFrom: moving,
  });
  const ofPatients = await openOfPatients(collections, records, period, session);
  return (record) => ({
    taken,
    others: ofPatients.filter(
      (one) => !one._id.equals(record._id) && one.doctorEmail !== doctorEmail && isSamePatient(one, record),
    ),
  });
}
