import { isAllowed, isFinal, type Caller, type ParsedBody } from '@clinic/contracts';
import { ownedBy, ProblemError } from '@clinic/service-kit';
import { ObjectId, type ClientSession } from 'mongodb';
import { appointmentsById, finalStatus } from '../appointments/appointment-change.ts';
import { patientOf, type AppointmentRecord } from '../appointments/appointment-record.ts';
import { intervalOf, timeTaken } from '../appointments/promise.ts';
import { isSamePatient, openOfPatients } from '../appointments/same-time.ts';
import { heldTimes, nothingTaken, TakenTime, type HeldTime } from '../appointments/taken-times.ts';
import { whyOver, whyStays } from '../attendance/change-attendance.ts';
import { forStaff, type ClinicClock } from '../clinic-clock.ts';
import type { ClinicCollections } from '../collections.ts';
import type { PlannedMove } from '../contract/calendar-calls.ts';
import { desk } from '../contract/desk.ts';
import { appointmentTransitions } from '../contract/transitions.ts';
import type { DoctorRecord } from '../doctors/doctor-record.ts';
import { asIfClosed } from '../schedule/close-day.ts';
import { withHolidays } from '../schedule/holidays.ts';
import { visitAt } from '../schedule/visit.ts';
import { workingSlotAt } from '../schedule/working-times.ts';
import { planDates } from '../series/date-conflicts.ts';

/** Most colleagues of whom it is said why they can't take an appointment. */
const mostNamed = 2;

interface DayQuestion {
  readonly collections: ClinicCollections;
  readonly clock: ClinicClock;
  readonly caller: Caller;
  /** Throws if the caller has no access to an appointment. */
  readonly assertMayTouch: (record: AppointmentRecord) => void;
}

/** What the plans for all appointments share. */
interface Planning {
  readonly collections: ClinicCollections;
  /** With the holidays. */
  readonly clock: ClinicClock;
  readonly requester: 'admin' | 'doctor';
  readonly wanted: Pick<ParsedBody<'planDay'>, 'date' | 'from' | 'otherTimes' | 'staysOpen'>;
  /** Each doctor's time that is meant for one of the appointments. */
  readonly meant: Map<string, TakenTime>;
  /** What was read about each day: a query for all doctors, and one for all patients. */
  readonly days: ReadonlyMap<string, ReadDay>;
}

interface ReadDay {
  readonly held: readonly HeldTime[];
  readonly ofPatients: Awaited<ReturnType<typeof openOfPatients>>;
}

/** The day that an appointment would go to. */
const dayFor = ({ date }: AppointmentRecord, wanted: Planning['wanted']): string => wanted.date ?? date;

async function readDays(
  collections: ClinicCollections,
  records: readonly AppointmentRecord[],
  { emails, wanted }: { readonly emails: readonly string[]; readonly wanted: Planning['wanted'] },
  session: ClientSession,
): Promise<Planning['days']> {
  const days = new Map<string, ReadDay>();
  for (const [day, going] of Map.groupBy(records, (record) => dayFor(record, wanted)))
    days.set(day, {
      held: await heldTimes(collections.appointments, emails, day, session),
      ofPatients: await openOfPatients(collections, going, { from: day, until: day }, session),
    });
  return days;
}

/** The days that a doctor is away, or the hours before the earliest time of a move within them: also of their nights. */
function emptiedDays(
  { email }: DoctorRecord,
  records: readonly AppointmentRecord[],
  { date: to, from, staysOpen }: Planning['wanted'],
) {
  if (staysOpen) return [];
  // Visits that stay on their day, at any time of it, empty nothing.
  if (to === undefined && (from === undefined || from === '00:00')) return [];
  const own = records.filter(({ doctorEmail, date }) => doctorEmail === email && date !== to);
  const dates = new Set(own.map(({ date }) => date));
  return [...dates].map((date) => ({ date, until: to === undefined ? from : undefined }));
}

/** Where one appointment can go, or why nowhere. */
type Plan = Omit<PlannedMove, '_id'>;

/**
 * Works out where the appointments of a doctor who is away can go: to the first of some colleagues who is free at the same
 * time, or to another time of their own doctor. With what is read here it accepts what the moves accept once the day is
 * closed to bookings (`closeDay`), unless it stays open, and no time is given twice; a time that one of them holds counts as taken, so that they
 * can be moved in any order.
 *
 * @param session - the transaction that reads
 * @throws ProblemError `not_found`; `forbidden` for others' appointments, and for doctors who ask for colleagues
 */
export async function planDay(
  { collections, clock, caller, assertMayTouch }: DayQuestion,
  { appointments, colleagues, ...wanted }: ParsedBody<'planDay'>,
  session: ClientSession,
): Promise<PlannedMove[]> {
  const requester = isAllowed(caller, desk) ? 'admin' : 'doctor';
  if (colleagues && requester === 'doctor')
    throw new ProblemError('forbidden', { detail: 'Only the desk hands appointments over.' });
  const ids = appointments.map((id) => new ObjectId(id));
  const records = await appointmentsById(collections, ids, session);
  for (const record of records) assertMayTouch(record);
  const emails = colleagues ?? [...new Set(records.map(({ doctorEmail }) => doctorEmail))];
  const found = await collections.doctors.find({ email: { $in: emails } }, { session }).toArray();
  const doctors = emails
    .flatMap((email) => found.find((doctor) => doctor.email === email) ?? [])
    .map((doctor) => asIfClosed(doctor, emptiedDays(doctor, records, wanted), clock.today));
  const planning: Planning = {
    collections,
    clock: await withHolidays(forStaff(clock), collections, session),
    requester,
    wanted,
    meant: new Map(),
    days: await readDays(collections, records, { emails, wanted }, session),
  };
  const planned: PlannedMove[] = [];
  for (const record of records) {
    const candidates = doctors.filter(({ email }) => (email === record.doctorEmail) === (colleagues === undefined));
    const plan = await planFor(planning, record, candidates, session);
    planned.push(ownedBy(patientOf(record), { _id: record._id.toHexString(), ...plan }));
  }
  return planned;
}

/** At the appointment's own time with any of the doctors, before another time. */
async function planFor(
  planning: Planning,
  record: AppointmentRecord,
  doctors: readonly DoctorRecord[],
  session: ClientSession,
): Promise<Plan> {
  const stays = isFinal(appointmentTransitions, record.status)
    ? finalStatus(record.status).message
    : (whyStays(record) ?? whyOver(record, 'moved', planning.clock));
  if (stays !== undefined) return { conflict: stays };
  let conflicts: string[] = [];
  for (const otherTimes of planning.wanted.otherTimes ? [false, true] : [false]) {
    conflicts = [];
    for (const doctor of doctors) {
      const { to, conflict = '' } = await planWith(planning, record, doctor, otherTimes, session);
      if (to) return { to };
      conflicts.push(`${doctor.name}: ${conflict}`);
    }
  }
  if (conflicts.length > mostNamed) return { conflict: `None of ${conflicts.length} colleagues is free then` };
  return { conflict: conflicts.join('. ') || 'There is nobody to take it' };
}

async function planWith(
  { collections, clock, requester, wanted, meant, days }: Planning,
  record: AppointmentRecord,
  doctor: DoctorRecord,
  otherTimes: boolean,
  session: ClientSession,
): Promise<Plan> {
  const others = meant.get(doctor.email) ?? nothingTaken;
  const { from = '00:00' } = wanted;
  const date = dayFor(record, wanted);
  const { held = [], ofPatients = [] } = days.get(date) ?? {};
  const isOther = ({ _id, doctorEmail }: Pick<HeldTime, '_id' | 'doctorEmail'>): boolean =>
    !_id.equals(record._id) && doctorEmail !== doctor.email;
  const known = {
    taken: new TakenTime(
      held
        .filter(({ _id, doctorEmail }) => doctorEmail === doctor.email && !_id.equals(record._id))
        .map((one) => timeTaken(one, clock.timeZone)),
    ),
    others: ofPatients.filter((one) => isOther(one) && isSamePatient(one, record)),
  };
  const asked = { date, time: record.time < from ? from : record.time };
  const [planned] = await planDates(
    { collections, doctor, patient: record, clock, requester, meant: others, known, onlyFrom: from },
    [asked],
    session,
  );
  const to = planned?.conflict === undefined ? planned : otherTimes ? planned.alternative : undefined;
  const slot = to && workingSlotAt(doctor, to, clock);
  if (!to || !slot) return { conflict: planned?.conflict ?? 'No free time' };
  meant.set(doctor.email, others.with([intervalOf(to, slot.minutes, clock.timeZone)]));
  const { email: doctoremail, name: doctorname } = doctor;
  return { to: { doctoremail, doctorname, date: to.date, time: to.time, ...visitAt(doctor, slot) } };
}
