import { assertOwner, once, ProblemError, readHistory, readPage, type Handler } from '@clinic/service-kit';
import { ObjectId } from 'mongodb';
import { collectionsOf } from '../collections.ts';
import { historyOf } from '../record-change.ts';
import type { ClinicContext } from '../settings.ts';
import { toAppointment } from './appointment-record.ts';
import { bookAppointment, explainTakenSlot, type Booking } from './book-appointment.ts';
import { changeAppointmentStatus } from './change-appointment-status.ts';
import { appointmentFilter, appointmentSorts } from './find-appointments.ts';

/** The calls under /appoinments and /update-appoinment. */
export function appointmentHandlers(context: ClinicContext) {
  const collections = collectionsOf(context.db);

  const listAppointments: Handler<'listAppointments'> = async ({ query }) =>
    readPage(collections.appointments, {
      filter: appointmentFilter({ person: query.email, status: query.status, q: query.q }),
      query, sorts: appointmentSorts, defaultSort: '-date', map: toAppointment,
    });

  const listUnconfirmedAppointments: Handler<'listUnconfirmedAppointments'> = async ({ query }) => {
    // Unconfirmed are the pending ones and nothing else; another status asked for together with it has no rows.
    const { email: doctorEmail, status = 'Pending', q } = query;
    const filter = status === 'Pending' ? appointmentFilter({ doctorEmail, status, q }) : { _id: { $in: [] } };
    return readPage(collections.appointments, { filter, query, sorts: appointmentSorts, defaultSort: 'date', map: toAppointment });
  };

  const book: Handler<'bookAppointment'> = async (request) => {
    const booking: Booking = {
      collections, wanted: request.body, now: new Date(), timeZone: context.settings.CLINIC_TZ, recordChange: historyOf(context, request),
    };
    try {
      return await once(context, request, (session) => bookAppointment(booking, session));
    } catch (error) {
      throw await explainTakenSlot(error, booking);
    }
  };

  const changeStatus: Handler<'changeAppointmentStatus'> = async (request) =>
    context.inTransaction((session) =>
      changeAppointmentStatus({
        collections,
        id: new ObjectId(request.params.id),
        newStatus: request.body.newStatus,
        caller: request.caller,
        now: new Date(),
        recordChange: historyOf(context, request),
        assertMayTouch: (appointment) => assertOwner(request.call.access, request.caller, appointment),
      }, session),
    );

  const getHistory: Handler<'getAppointmentHistory'> = async ({ params, call, caller }) => {
    const record = await collections.appointments.findOne({ _id: new ObjectId(params.id) });
    if (!record) throw new ProblemError('not_found', { detail: 'There is no such appointment.' });
    assertOwner(call.access, caller, toAppointment(record));
    // Patient and doctor know each other from the appointment; who else acted they learn by role.
    return readHistory(context, { record: { type: 'appointment', id: params.id.toLowerCase() }, reader: caller, namesTold: ['admin', 'doctor'] });
  };

  return { listAppointments, listUnconfirmedAppointments, bookAppointment: book, changeAppointmentStatus: changeStatus, getAppointmentHistory: getHistory };
}
