import { assertOwner, changeStream, file, noteLooks, once, ProblemError, readHistory, readPage, type Handler, type ServiceRequest } from '@clinic/service-kit';
import type { Appointment, Caller, Ownership } from '@clinic/contracts';
import { ObjectId } from 'mongodb';
import { clinicClock } from '../clinic-clock.ts';
import { collectionsOf } from '../collections.ts';
import { historyOf } from '../record-change.ts';
import type { ClinicContext } from '../settings.ts';
import type { AppointmentChange } from './appointment-change.ts';
import { appointmentFields, toAppointment, type AppointmentRecord } from './appointment-record.ts';
import { bookAppointment } from './book-appointment.ts';
import { calendarFile } from './calendar-file.ts';
import { changeAppointmentStatus } from './change-appointment-status.ts';
import { appointmentFilter, appointmentSorts } from './find-appointments.ts';
import { rescheduleAppointment } from './reschedule-appointment.ts';
import { explainTakenSlot } from './taken-slot.ts';

/** The accounts an appointment belongs to, as far as they are the caller's. */
function ownershipOf({ patientemail, doctoremail }: Pick<Appointment, 'patientemail' | 'doctoremail'>, { id, email }: Caller): Ownership {
  return { patient: patientemail === email ? id : undefined, doctor: doctoremail === email ? id : undefined };
}

/** The calls under /appoinments and /update-appoinment. */
export function appointmentHandlers(context: ClinicContext) {
  const collections = collectionsOf(context.db);
  const rules = context.settings;
  const map = (record: AppointmentRecord) => toAppointment(record, rules);
  const looks = noteLooks(context);
  const patientOf = ({ patientemail }: Appointment) => ({ email: patientemail });
  const watchAppointments = changeStream(context, {
    lists: { appointment: ['listAppointments', 'listUnconfirmedAppointments', 'listAppointmentsOutsideTimes'] }, seeAll: ['admin'],
  });

  type OnAppointment = 'changeAppointmentStatus' | 'rescheduleAppointment' | 'getAppointmentHistory' | 'getAppointmentCalendar';

  const changeOf = (request: ServiceRequest<OnAppointment>): AppointmentChange => ({
    db: context.db,
    collections,
    rules,
    id: new ObjectId(request.params.id),
    caller: request.caller,
    clock: clinicClock(rules),
    recordChange: historyOf(context, request),
    assertMayTouch: (appointment) => assertOwner(request.call.access, request.caller, ownershipOf(appointment, request.caller)),
  });

  async function readOwn(request: ServiceRequest<OnAppointment>): Promise<AppointmentRecord> {
    const { params, call, caller } = request;
    const record = await collections.appointments.findOne({ _id: new ObjectId(params.id) });
    if (!record) throw new ProblemError('not_found', { detail: 'There is no such appointment.' });
    assertOwner(call.access, caller, ownershipOf(appointmentFields(record), caller));
    looks.opened(request, 'appointments', { email: record.patientEmail });
    return record;
  }

  const listAppointments: Handler<'listAppointments'> = async (request) => {
    const { query } = request;
    const found = await readPage(collections.appointments, { filter: appointmentFilter({ ...query, person: query.email }), query, sorts: appointmentSorts, defaultSort: '-date', map });
    return looks.listed(request, 'appointments', found, patientOf);
  };

  const listUnconfirmedAppointments: Handler<'listUnconfirmedAppointments'> = async (request) => {
    const { query } = request;
    // Unconfirmed are the pending ones and nothing else; another status asked for together with it has no rows.
    const { email: doctorEmail, status = 'Pending', ...others } = query;
    const filter = status === 'Pending' ? appointmentFilter({ ...others, doctorEmail, status }) : { _id: { $in: [] } };
    return looks.listed(request, 'appointments', await readPage(collections.appointments, { filter, query, sorts: appointmentSorts, defaultSort: 'date', map }), patientOf);
  };

  const book: Handler<'bookAppointment'> = async (request) => {
    const { body: wanted } = request;
    const clock = clinicClock(rules);
    try {
      return await once(context, request, (session) => bookAppointment({ db: context.db, caller: request.caller, collections, wanted, clock, rules, recordChange: historyOf(context, request) }, session));
    } catch (error) {
      throw await explainTakenSlot(error, { doctorEmail: wanted.doctoremail, date: wanted.date, time: wanted.time }, collections, clock);
    }
  };

  const changeStatus: Handler<'changeAppointmentStatus'> = async (request) =>
    context.inTransaction((session) => changeAppointmentStatus(changeOf(request), request.body.newStatus, session));

  const reschedule: Handler<'rescheduleAppointment'> = async (request) => {
    const change = changeOf(request);
    try {
      return await context.inTransaction((session) => rescheduleAppointment(change, request.body, session));
    } catch (error) {
      const record = await collections.appointments.findOne({ _id: change.id });
      throw record ? await explainTakenSlot(error, { doctorEmail: record.doctorEmail, ...request.body }, collections, change.clock) : error;
    }
  };

  const getHistory: Handler<'getAppointmentHistory'> = async (request) => {
    await readOwn(request);
    // Patient and doctor know each other from the appointment; who else acted they learn by role.
    return readHistory(context, { record: { type: 'appointment', id: request.params.id.toLowerCase() }, reader: request.caller, namesTold: ['admin', 'doctor'] });
  };

  const getCalendar: Handler<'getAppointmentCalendar'> = async (request) => {
    const record = await readOwn(request);
    const doctor = await collections.doctors.findOne({ email: record.doctorEmail }, { projection: { location: 1 } });
    return file(`appointment-${record.date}.ics`, calendarFile(record, rules.CLINIC_TZ, doctor?.location ?? ''));
  };

  return {
    listAppointments, listUnconfirmedAppointments, watchAppointments, bookAppointment: book, changeAppointmentStatus: changeStatus,
    rescheduleAppointment: reschedule, getAppointmentHistory: getHistory, getAppointmentCalendar: getCalendar,
  };
}
