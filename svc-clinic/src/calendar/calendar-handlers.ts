import type { CalendarDoctor } from '../contract/calendar-calls.ts';
import { assertOwner, daysOf, type Handler } from '@clinic/service-kit';
import type { Filter } from 'mongodb';
import { ownershipOf, type AppointmentRecord } from '../appointments/appointment-record.ts';
import { bookedSlots, takenTimes, type TakenTimes } from '../appointments/taken-times.ts';
import { clinicClock, forStaff, type ClinicClock } from '../clinic-clock.ts';
import { collectionsOf } from '../collections.ts';
import { calendarLimits as limits } from '../contract/limits.ts';
import type { DoctorRecord } from '../doctors/doctor-record.ts';
import { doctorById, ownDoctor } from '../doctors/read-doctor.ts';
import { withHolidays } from '../schedule/holidays.ts';
import type { ClinicContext } from '../settings.ts';
import { calendarAppointmentOf, calendarDayOf } from './calendar-day.ts';
import { findPatients } from './find-patients.ts';
import { planDay } from './plan-day.ts';

/** Handlers of the calls behind the staff's calendar. */
export function calendarHandlers(context: ClinicContext) {
  const collections = collectionsOf(context.db);
  const { doctors, appointments } = collections;
  const rules = context.settings;

  /** One more than fits, to know whether there are more. */
  async function doctorsAfter(after: string | undefined): Promise<DoctorRecord[]> {
    const last = after === undefined ? undefined : await doctorById(doctors, after);
    const following: Filter<DoctorRecord> = last
      ? { $or: [{ nameKey: { $gt: last.nameKey } }, { nameKey: last.nameKey, _id: { $gt: last._id } }] }
      : {};
    return doctors
      .find(following)
      .sort({ nameKey: 1, _id: 1 })
      .limit(limits.doctors + 1)
      .toArray();
  }

  async function appointmentsOf(emails: readonly string[], from: string, until: string): Promise<AppointmentRecord[]> {
    const found = await appointments
      .find(bookedSlots(emails, from, until))
      .limit(limits.appointments + 1)
      .project<AppointmentRecord>({ answers: 0 })
      .toArray();
    return found.toSorted((one, other) => one.date.localeCompare(other.date) || one.time.localeCompare(other.time));
  }

  const getClinicCalendar: Handler<'getClinicCalendar'> = async ({ call, caller, query }) => {
    const { doctor: id, from, until, after } = query;
    // Without a doctor the request is for all calendars, which nobody owns.
    if (id === undefined) assertOwner(call.access, caller, {});
    const found =
      id === undefined ? await doctorsAfter(after) : [await ownDoctor(doctors, { params: { id }, call, caller })];
    const shown = found.slice(0, limits.doctors);
    const emails = shown.map(({ email }) => email);
    const [clock, booked, taken] = await Promise.all([
      withHolidays(forStaff(clinicClock(rules)), collections),
      appointmentsOf(emails, from, until),
      takenTimes(appointments, emails, { from, until }, rules.CLINIC_TZ),
    ]);
    const byEmail = new Map(shown.map((doctor) => [doctor.email, doctor]));
    return {
      doctors: shown.map((doctor) => toCalendarDoctor(doctor, daysOf({ from, to: until }), taken, clock)),
      appointments: booked
        .slice(0, limits.appointments)
        .map((record) => calendarAppointmentOf(record, byEmail.get(record.doctorEmail), { rules, caller, clock })),
      more: found.length > limits.doctors,
      complete: booked.length <= limits.appointments,
    };
  };

  const find: Handler<'findPatients'> = ({ query, caller }) =>
    findPatients(collections, query, caller, rules.CLINIC_TZ);

  const plan: Handler<'planDay'> = ({ body, call, caller }) => {
    const assertMayTouch = (record: AppointmentRecord) => assertOwner(call.access, caller, ownershipOf(record));
    const question = { collections, clock: clinicClock(rules), caller, assertMayTouch };
    return context.inTransaction((session) => planDay(question, body, session));
  };

  return {
    getClinicCalendar,
    findPatients: find,
    planDay: plan,
  };
}

function toCalendarDoctor(
  doctor: DoctorRecord,
  dates: readonly string[],
  taken: TakenTimes,
  clock: ClinicClock,
): CalendarDoctor {
  const { _id, name, email, specialization, location } = doctor;
  return {
    _id: _id.toHexString(),
    name,
    email,
    specialization,
    location,
    anyTime: false,
    days: dates.map((date) => calendarDayOf(doctor, date, taken(email), clock)),
  };
}
