import type { Caller, ParsedBody } from '@clinic/contracts';
import {
  accountOfEmail,
  assertOwner,
  internationalPhone,
  once,
  requireCurrentAccounts,
  type Handler,
  type ServiceRequest,
} from '@clinic/service-kit';
import { hasRole } from '@clinic/contracts';
import type { ClientSession } from 'mongodb';
import { appointmentById, appointmentChangeOf } from '../appointments/appointment-change.ts';
import { ownershipOf, type AppointmentRecord } from '../appointments/appointment-record.ts';
import { clinicClock, forStaff } from '../clinic-clock.ts';
import { collectionsOf } from '../collections.ts';
import type { DoctorRecord } from '../doctors/doctor-record.ts';
import { historyRecorder } from '../record-change.ts';
import { rejected } from '../rejected.ts';
import { withHolidays } from '../schedule/holidays.ts';
import type { ClinicContext } from '../settings.ts';
import { bookSeries, type SeriesParty } from './book-series.ts';
import { changeSeries } from './change-series.ts';
import { explainLostRace, planDates } from './date-conflicts.ts';
import { seriesDates } from './series-dates.ts';

/** Handlers of the calls about several appointments that belong together. */
export function seriesHandlers(context: ClinicContext) {
  const { db } = context;
  const collections = collectionsOf(db);
  const rules = context.settings;

  /** The appointment that a series continues; `undefined` if the request names patient and doctor, which admins may. */
  async function sourceOf(
    { call, caller, body }: ServiceRequest<'previewSeries' | 'bookSeries'>,
    session: ClientSession,
  ): Promise<AppointmentRecord | undefined> {
    if (body.from === undefined) {
      assertOwner(call.access, caller, {});
      return undefined;
    }
    const record = await appointmentById(collections, body.from, session);
    assertOwner(call.access, caller, ownershipOf(record));
    return record;
  }

  async function doctorOf(email: string, session: ClientSession): Promise<DoctorRecord> {
    const doctor = await collections.doctors.findOne({ email }, { session });
    if (!doctor) throw rejected('doctoremail', 'There’s no doctor with this email address');
    return doctor;
  }

  const patientIdOf = async (email: string, caller: Caller, session: ClientSession): Promise<string | undefined> =>
    email === caller.email ? caller.id : accountOfEmail({ db }, session, email);

  const previewSeries: Handler<'previewSeries'> = async (request) => ({
    dates: await context.inTransaction(async (session) => {
      const { body, caller } = request;
      const source = await sourceOf(request, session);
      const clock = await withHolidays(forStaff(clinicClock(rules)), collections, session);
      const doctor = await doctorOf(source?.doctorEmail ?? body.booking?.doctoremail ?? '', session);
      const patientEmail = source?.patientEmail ?? body.booking?.patientemail ?? '';
      const patientId = source ? source.patientId : await patientIdOf(patientEmail, caller, session);
      const requester = hasRole(caller, ['admin']) ? 'admin' : 'doctor';
      return planDates(
        {
          collections,
          doctor,
          patient: { patientEmail, ...(patientId !== undefined && { patientId }) },
          clock,
          requester,
        },
        seriesDates(body),
        session,
      );
    }),
  });

  async function partyOf(request: ServiceRequest<'bookSeries'>, session: ClientSession): Promise<SeriesParty> {
    const source = await sourceOf(request, session);
    if (source) {
      const { patientName, patientEmail, patientId, age, address, phone } = source;
      const doctor = await doctorOf(source.doctorEmail, session);
      const phoneE164 = internationalPhone(phone, rules.CLINIC_COUNTRY);
      const party = { doctor, patientName, patientEmail, age, address, phone, phoneE164 };
      return { ...party, ...(patientId !== undefined && { patientId }) };
    }
    const { booking } = request.body as { readonly booking: NonNullable<ParsedBody<'bookSeries'>['booking']> };
    const patientId = await patientIdOf(booking.patientemail, request.caller, session);
    return {
      doctor: await doctorOf(booking.doctoremail, session),
      patientName: booking.patientname,
      patientEmail: booking.patientemail,
      age: booking.age,
      address: booking.address,
      phone: booking.number,
      phoneE164: internationalPhone(booking.number, rules.CLINIC_COUNTRY),
      ...(booking.reason && { reason: booking.reason }),
      ...(patientId !== undefined && { patientId }),
    };
  }

  const book: Handler<'bookSeries'> = async (request) => {
    const { caller, body } = request;
    if (body.booking) await requireCurrentAccounts(context);
    const booked = once(context, request, async (session) => {
      const clock = await withHolidays(forStaff(clinicClock(rules)), collections, session);
      return bookSeries(
        {
          db,
          collections,
          caller,
          party: await partyOf(request, session),
          dates: body.dates,
          alsoThen: body.alsoThen,
          clock,
          rules,
          recordChange: historyRecorder(context, request),
        },
        session,
      );
    });
    return booked.catch(explainLostRace);
  };

  const change: Handler<'changeSeries'> = async (request) =>
    context
      .inTransaction((session) => changeSeries(appointmentChangeOf(context, request), request.body, session))
      .catch(explainLostRace);

  return { previewSeries, bookSeries: book, changeSeries: change };
}
