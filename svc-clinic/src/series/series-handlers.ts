import type { ParsedBody } from '@clinic/contracts';
import {
  about,
  assertOwner,
  once,
  catchUpWithAccounts,
  ownerOfRecord,
  type Handler,
  type RecordOwner,
  type ServiceRequest,
  rejected,
} from '@clinic/service-kit';
import { isAllowed } from '@clinic/contracts';
import type { ClientSession } from 'mongodb';
import {
  appointmentById,
  appointmentChangeOf,
  assertNotMoved,
  changeOfSeveral,
} from '../appointments/appointment-change.ts';
import { assertKnownPatient } from '../appointments/book-appointment.ts';
import { patientFields, personOf, withDetails } from '../appointments/patient-fields.ts';
import { undoMoves } from '../appointments/undo-moves.ts';
import { undoStatusChanges } from '../appointments/undo-status-changes.ts';
import { ownershipOf, type AppointmentRecord } from '../appointments/appointment-record.ts';
import { clinicClock, forStaff } from '../clinic-clock.ts';
import { collectionsOf } from '../collections.ts';
import type { DoctorRecord } from '../doctors/doctor-record.ts';
import { historyRecorder } from '../record-change.ts';
import { withHolidays } from '../schedule/holidays.ts';
import type { ClinicContext } from '../settings.ts';
import { bookSeries, type SeriesParty } from './book-series.ts';
import { changeSeries, previewFollowing } from './change-series.ts';
import { explainLostRace, planDates } from './date-conflicts.ts';
import { seriesDates } from './series-dates.ts';
import { desk } from '../contract/desk.ts';

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

  /** Whose a series for a patient that the request names will be. */
  const ownerIn = async ({ body, caller }: ServiceRequest<'previewSeries' | 'bookSeries'>): Promise<RecordOwner> => {
    if (body.booking) {
      const { patientemail, userId } = { userId: undefined, ...body.booking };
      await assertKnownPatient(collections, 'booking.patientemail', patientemail);
      return ownerOfRecord(context, patientemail, caller, userId);
    }
    // The visit it continues may have just got its owner.
    await catchUpWithAccounts(context);
    return () => Promise.resolve(undefined);
  };

  const previewSeries: Handler<'previewSeries'> = async (request) => {
    const ownerOf = await ownerIn(request);
    return context.inTransaction(async (session) => {
      const { body, caller } = request;
      const source = await sourceOf(request, session);
      const clock = await withHolidays(forStaff(clinicClock(rules)), collections, session);
      const doctor = await doctorOf(source?.doctorEmail ?? body.booking?.doctoremail ?? '', session);
      const patientEmail = source?.patientEmail ?? body.booking?.patientemail ?? '';
      const patientId = source ? source.patientId : await ownerOf(session);
      const requester = isAllowed(caller, desk) ? 'admin' : 'doctor';
      const dates = await planDates(
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
      return about({ email: patientEmail, id: patientId }, { dates });
    });
  };

  async function partyOf(
    request: ServiceRequest<'bookSeries'>,
    ownerOf: RecordOwner,
    session: ClientSession,
  ): Promise<SeriesParty> {
    const source = await sourceOf(request, session);
    if (source) {
      assertNotMoved(source, request.body.seen);
      const { patientEmail, patientId } = source;
      // What the further visits are about is said anew.
      const details = withDetails(personOf(source), request.body);
      return {
        doctor: await doctorOf(source.doctorEmail, session),
        ...patientFields(details, rules.CLINIC_COUNTRY),
        patientEmail,
        ...(patientId !== undefined && { patientId }),
      };
    }
    const { booking } = request.body as { readonly booking: NonNullable<ParsedBody<'bookSeries'>['booking']> };
    const patientId = await ownerOf(session);
    return {
      doctor: await doctorOf(booking.doctoremail, session),
      ...patientFields(booking, rules.CLINIC_COUNTRY),
      patientEmail: booking.patientemail,
      ...(patientId !== undefined && { patientId }),
    };
  }

  const book: Handler<'bookSeries'> = async (request) => {
    const { caller, body } = request;
    const ownerOf = await ownerIn(request);
    const booked = once(context, request, async (session) => {
      const clock = await withHolidays(forStaff(clinicClock(rules)), collections, session);
      return bookSeries(
        {
          db,
          collections,
          caller,
          party: await partyOf(request, ownerOf, session),
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

  const following: Handler<'previewFollowing'> = async (request) =>
    context.inTransaction(async (session) => {
      const asked = appointmentChangeOf(context, request);
      const { first, visits } = await previewFollowing(asked, request.body, session);
      return about({ email: first.patientEmail, id: first.patientId }, { visits });
    });

  const change: Handler<'changeSeries'> = async (request) =>
    once(context, request, (session) =>
      changeSeries(appointmentChangeOf(context, request), request.body, session),
    ).catch(explainLostRace);

  const undo: Handler<'undoMoves'> = async (request) =>
    context
      .inTransaction((session) => undoMoves(changeOfSeveral(context, request), request.body, session))
      .catch(explainLostRace);

  const undoStatus: Handler<'undoStatusChanges'> = async (request) =>
    context
      .inTransaction((session) => undoStatusChanges(changeOfSeveral(context, request), request.body, session))
      .catch(explainLostRace);

  return {
    previewSeries,
    bookSeries: book,
    previewFollowing: following,
    changeSeries: change,
    undoMoves: undo,
    undoStatusChanges: undoStatus,
  };
}
