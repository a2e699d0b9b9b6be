import type { Caller, ParsedBody } from '@clinic/contracts';
import {
  accountOfEmail,
  assertOwner,
  isDuplicateKey,
  newId,
  once,
  ProblemError,
  type Handler,
  type ServiceRequest,
} from '@clinic/service-kit';
import { hasRole } from '@clinic/contracts';
import { ObjectId, type ClientSession } from 'mongodb';
import { appointmentChangeOf } from '../appointments/appointment-change.ts';
import { ownershipOf, type AppointmentRecord } from '../appointments/appointment-record.ts';
import { slotRejections } from '../appointments/requested-slot.ts';
import { clinicClock, type ClinicClock } from '../clinic-clock.ts';
import { collectionsOf } from '../collections.ts';
import type { DoctorRecord } from '../doctors/doctor-record.ts';
import { historyRecorder } from '../record-change.ts';
import { withHolidays } from '../schedule/holidays.ts';
import type { ClinicContext } from '../settings.ts';
import { bookSeries, type SeriesParty } from './book-series.ts';
import { changeSeries } from './change-series.ts';
import { lostRace, planDates } from './date-conflicts.ts';
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
    const record = await collections.appointments.findOne({ _id: new ObjectId(body.from) }, { session });
    if (!record) throw new ProblemError('not_found', { detail: 'We can’t find this appointment.' });
    assertOwner(call.access, caller, ownershipOf(record));
    return record;
  }

  async function doctorOf(email: string, clock: ClinicClock, session: ClientSession): Promise<DoctorRecord> {
    const doctor = await collections.doctors.findOne({ email }, { session });
    if (!doctor)
      throw new ProblemError('validation_failed', {
        errors: slotRejections(null, { date: clock.today, time: '00:00' }, clock),
      });
    return doctor;
  }

  const patientIdOf = async (email: string, caller: Caller, session: ClientSession): Promise<string | undefined> =>
    email === caller.email ? caller.id : accountOfEmail({ db }, session, email);

  const previewSeries: Handler<'previewSeries'> = async (request) => ({
    dates: await context.inTransaction(async (session) => {
      const { body, caller } = request;
      const source = await sourceOf(request, session);
      const clock = await withHolidays(clinicClock(rules), collections, session);
      const doctor = await doctorOf(source?.doctorEmail ?? body.booking?.doctoremail ?? '', clock, session);
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
        newId(),
        session,
      );
    }),
  });

  async function partyOf(
    request: ServiceRequest<'bookSeries'>,
    clock: ClinicClock,
    session: ClientSession,
  ): Promise<SeriesParty> {
    const source = await sourceOf(request, session);
    if (source) {
      const { patientName, patientEmail, patientId, age, address, phone } = source;
      const doctor = await doctorOf(source.doctorEmail, clock, session);
      return { doctor, patientName, patientEmail, age, address, phone, ...(patientId !== undefined && { patientId }) };
    }
    const { booking } = request.body as { readonly booking: NonNullable<ParsedBody<'bookSeries'>['booking']> };
    const patientId = await patientIdOf(booking.patientemail, request.caller, session);
    return {
      doctor: await doctorOf(booking.doctoremail, clock, session),
      patientName: booking.patientname,
      patientEmail: booking.patientemail,
      age: booking.age,
      address: booking.address,
      phone: booking.number,
      ...(booking.reason && { reason: booking.reason }),
      ...(patientId !== undefined && { patientId }),
    };
  }

  const book: Handler<'bookSeries'> = async (request) => {
    const { caller, body } = request;
    try {
      return await once(context, request, async (session) => {
        const clock = await withHolidays(clinicClock(rules), collections, session);
        return bookSeries(
          {
            db,
            collections,
            caller,
            party: await partyOf(request, clock, session),
            dates: body.dates,
            alsoThen: body.alsoThen,
            clock,
            rules,
            recordChange: historyRecorder(context, request),
          },
          session,
        );
      });
    } catch (error) {
      throw isDuplicateKey(error) ? lostRace() : error;
    }
  };

  const change: Handler<'changeSeries'> = async (request) => {
    try {
      return await context.inTransaction((session) =>
        changeSeries(appointmentChangeOf(context, request), request.body, session),
      );
    } catch (error) {
      throw isDuplicateKey(error) ? lostRace() : error;
    }
  };

  return { previewSeries, bookSeries: book, changeSeries: change };
}
