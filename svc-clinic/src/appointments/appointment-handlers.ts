import {
  about,
  assertOwner,
  beginningWords,
  changeStream,
  file,
  once,
  readHistory,
  readPage,
  ownerOfRecord,
  type Handler,
  type ServiceRequest,
} from '@clinic/service-kit';
import { isAllowed, hasRole, type ParsedBody } from '@clinic/contracts';
import type { Filter } from 'mongodb';
import { clinicClock, firstToCome, forStaff } from '../clinic-clock.ts';
import { collectionsOf } from '../collections.ts';
import { historyRecorder } from '../record-change.ts';
import type { ClinicContext } from '../settings.ts';
import { appointmentById, appointmentChangeOf } from './appointment-change.ts';
import {
  unlistedFieldNames,
  ownershipOf,
  patientOf,
  toAppointment,
  type AppointmentRecord,
  type ShownAppointment,
} from './appointment-record.ts';
import { assertKnownPatient, bookAppointment, bookersClock } from './book-appointment.ts';
import { calendarFile } from './calendar-file.ts';
import { correctAppointment } from './correct-appointment.ts';
import { changeAppointmentStatus } from './change-appointment-status.ts';
import { appointmentFilter, appointmentSorts } from './find-appointments.ts';
import { moveToColleague } from './move-to-colleague.ts';
import { requestedVisit } from './patient-fields.ts';
import { moversClock, rescheduleAppointment } from './reschedule-appointment.ts';
import { explainTakenSlot } from './requested-slot.ts';
import { withoutHolds } from '../waitlist/slot-hold.ts';
import { desk } from '../contract/desk.ts';
import { appointmentLists, waitlistLists } from '../contract/lists.ts';

/** Handlers of the calls under /appoinments and /update-appoinment. */
export function appointmentHandlers(context: ClinicContext) {
  const collections = collectionsOf(context.db);
  const rules = context.settings;
  const watchAppointments = changeStream(context, {
    lists: {
      waitlist: waitlistLists,
      appointment: [...appointmentLists, 'listOpenQuestions'],
      // What no longer fits the hours depends on both.
      doctor: ['getClinicCalendar', 'listAppointmentsOutsideTimes', 'listVisitsOnHolidays', 'listDoctors'],
      pharmacist: ['listPharmacists'],
      holiday: ['getClinicCalendar', 'listAppointmentsOutsideTimes', 'listVisitsOnHolidays'],
      'question form': ['listQuestionForms'],
    },
    seeAll: desk,
  });

  type OnAppointment = 'getAppointmentHistory' | 'getAppointmentCalendar';

  async function readOwn(request: ServiceRequest<OnAppointment>): Promise<AppointmentRecord> {
    const { params, call, caller } = request;
    const record = await appointmentById(collections, params.id);
    assertOwner(call.access, caller, ownershipOf(record));
    return record;
  }

  const pageOf = (
    { query, caller }: ServiceRequest<'listAppointments' | 'listUnconfirmedAppointments'>,
    filter: Filter<AppointmentRecord>,
    defaultSort: keyof typeof appointmentSorts,
  ) =>
    readPage(collections.appointments, {
      // Of the patient's or doctor's name or address, in any order, or of the patient's phone number.
      filter: [[...beginningWords<AppointmentRecord>(query.q, 'words'), filter]],
      query,
      sorts: appointmentSorts,
      defaultSort,
      map: (record: ShownAppointment) => toAppointment(record, rules, caller),
      unread: unlistedFieldNames,
    });

  const listAppointments: Handler<'listAppointments'> = async (request) => {
    const { query, caller } = request;
    const { email, q, ...narrowed } = query;
    const whose = isAllowed(caller, desk)
      ? { person: email }
      : hasRole(caller, ['doctor'])
        ? { account: caller.id }
        : { patientId: caller.id };
    const filter = appointmentFilter({ ...narrowed, ...whose }, firstToCome(new Date(), rules.CLINIC_TZ));
    // No hold is found by words.
    return pageOf(request, q ? filter : await withoutHolds(collections, filter), '-date');
  };

  const listUnconfirmedAppointments: Handler<'listUnconfirmedAppointments'> = async (request) => {
    const { query, caller } = request;
    // "Unconfirmed" means pending and nothing else; combined with another status it matches nothing.
    const { email: doctorEmail, status = 'Pending', ...others } = query;
    const whose = isAllowed(caller, desk) ? { doctorEmail } : { doctorAccountId: caller.id };
    const filter =
      status === 'Pending'
        ? appointmentFilter({ ...others, ...whose, status }, firstToCome(new Date(), rules.CLINIC_TZ))
        : { _id: { $in: [] } };
    return pageOf(request, filter, 'date');
  };

  /** The slot that a request asks for, with its doctor. */
  const slotIn = ({
    doctoremail: doctorEmail,
    date,
    time,
  }: Pick<ParsedBody<'moveToColleague'>, 'doctoremail' | 'date' | 'time'>) => ({
    doctorEmail,
    date,
    time,
  });

  const book: Handler<'bookAppointment'> = async (request) => {
    const { caller } = request;
    await assertKnownPatient(collections, 'patientemail', request.body.patientemail);
    const requested = requestedVisit(request.body, caller);
    const recordChange = historyRecorder(context, request);
    const ownerOf = await ownerOfRecord(context, requested.patientemail, caller, request.body.userId);
    // Read again in each attempt: an address's next owner gets what was booked since it was free.
    const clock = () => clinicClock(rules);
    try {
      return await once(context, request, (session) =>
        bookAppointment(
          { db: context.db, caller, ownerOf, collections, requested, clock: clock(), rules, recordChange },
          session,
        ),
      );
    } catch (error) {
      throw await explainTakenSlot(error, slotIn(requested), collections, bookersClock(caller, clock()));
    }
  };

  const changeStatus: Handler<'changeAppointmentStatus'> = async (request) =>
    context.inTransaction((session) =>
      changeAppointmentStatus(appointmentChangeOf(context, request), request.body, session),
    );

  const reschedule: Handler<'rescheduleAppointment'> = async (request) => {
    const change = appointmentChangeOf(context, request);
    try {
      return await context.inTransaction((session) => rescheduleAppointment(change, request.body, session));
    } catch (error) {
      const record = await collections.appointments.findOne({ _id: change.id });
      if (!record) throw error;
      const clock = moversClock(record, change);
      throw await explainTakenSlot(error, { doctorEmail: record.doctorEmail, ...request.body }, collections, clock);
    }
  };

  const giveToColleague: Handler<'moveToColleague'> = async (request) => {
    const { body: requested } = request;
    const change = appointmentChangeOf(context, request);
    try {
      return await context.inTransaction((session) => moveToColleague(change, requested, session));
    } catch (error) {
      throw await explainTakenSlot(error, slotIn(requested), collections, forStaff(change.clock));
    }
  };

  const correct: Handler<'correctAppointment'> = async (request) =>
    context.inTransaction((session) =>
      correctAppointment(appointmentChangeOf(context, request), request.body, session),
    );

  const getHistory: Handler<'getAppointmentHistory'> = async (request) => {
    const record = await readOwn(request);
    // Patient and doctor know each other from the appointment; other actors are shown by role.
    const history = await readHistory(context, {
      record: { type: 'appointment', id: request.params.id.toLowerCase() },
      reader: request.caller,
      namesShownTo: ['admin', 'doctor'],
    });
    return about(patientOf(record), history);
  };

  const getCalendar: Handler<'getAppointmentCalendar'> = async (request) => {
    const record = await readOwn(request);
    return about(patientOf(record), file(`appointment-${record.date}.ics`, calendarFile(record, rules.CLINIC_TZ)));
  };

  return {
    listAppointments,
    listUnconfirmedAppointments,
    watchAppointments,
    bookAppointment: book,
    changeAppointmentStatus: changeStatus,
    rescheduleAppointment: reschedule,
    moveToColleague: giveToColleague,
    correctAppointment: correct,
    getAppointmentHistory: getHistory,
    getAppointmentCalendar: getCalendar,
  };
}
