import { addDays } from '@clinic/contracts';
import type { Appointment } from '../contract/schemas.ts';
import { isoDate, timeOfDay } from '@clinic/contracts/schemas/fields';
import { isBookable } from '../doctors/doctor-record.ts';
import { freeTimesOfDay } from '../appointments/free-times.ts';
import { takenTime } from '../appointments/taken-times.ts';
import { catchUpWithAccounts, daysOf, ProblemError, readStanding, refused } from '@clinic/service-kit';
import express, { type Router } from 'express';
import { ObjectId } from 'mongodb';
import { z } from 'zod';
import { appointmentById, type AppointmentChange } from '../appointments/appointment-change.ts';
import { changeUntil, type AppointmentRecord } from '../appointments/appointment-record.ts';
import { changeAppointmentStatus } from '../appointments/change-appointment-status.ts';
import { visitOf } from '../appointments/promise.ts';
import { rescheduleAppointment } from '../appointments/reschedule-appointment.ts';
import { explainTakenSlot } from '../appointments/requested-slot.ts';
import { arrivalCodeOf } from '../attendance/arrival-codes.ts';
import { isVisitOfToday } from '../attendance/attendance-record.ts';
import { askedToConfirm, promiseToCome } from '../attendance/asked-to-confirm.ts';
import { changeAttendance } from '../attendance/change-attendance.ts';
import { clinicClock } from '../clinic-clock.ts';
import { collectionsOf } from '../collections.ts';
import { historyRecorder } from '../record-change.ts';
import { openQuestions } from '../questions/asked-questions.ts';
import { withHolidays } from '../schedule/holidays.ts';
import type { ClinicContext } from '../settings.ts';
import { visitInMessage } from './announce-visit.ts';

/** Paths of svc-messages' calls; the gateway doesn't route them. */
const visitsPath = '/internal/visits';
const offersPath = '/internal/offers';

/** Maximum visits per request. */
const mostVisits = 200;

/** Days of free times that a link to move a visit offers, and times in all. */
const offeredDays = 14;

const id = z.string().regex(/^[0-9a-f]{24}$/);
const slot = { date: isoDate('Date'), time: timeOfDay };

const question = z.object({ ids: z.array(id).max(mostVisits) });

/** A change by a link in a message: the patient's own, of the visit as it was when the message was written. */
const linkedChange = z.object({
  account: id,
  // Messages of earlier releases don't say with whom.
  seen: z.object({ ...slot, doctor: z.string().optional() }),
  change: z.discriminatedUnion('act', [
    z.object({ act: z.literal('cancel') }),
    z.object({ act: z.literal('arrive') }),
    z.object({ act: z.literal('come') }),
    z.object({ act: z.literal('move'), ...slot }),
  ]),
});

/**
 * Adds the calls with which svc-messages reads visits and offers, carries out the links in messages, and says which offers
 * patients have had in time.
 */
export function addVisitRoutes(router: Router, context: ClinicContext): void {
  const json = express.json({ limit: '32kb' });
  router.post(visitsPath, json, async (request, response) => {
    response.json(await visitsNow(context, parsed(question, request.body).ids));
  });
  router.get(`${visitsPath}/:id/free-times`, async (request, response) => {
    response.json(await freeTimesToMoveTo(context, parsed(id, request.params.id)));
  });
  router.post(`${visitsPath}/:id/change`, json, async (request, response) => {
    const asked = parsed(linkedChange, request.body);
    const { date, time } = await changeByLink(context, new ObjectId(parsed(id, request.params.id)), asked);
    response.json({ date, time });
  });
  router.post(offersPath, json, async (request, response) => {
    const ids = parsed(question, request.body).ids.map((one) => new ObjectId(one));
    const found = await collectionsOf(context.db)
      .waitlistOffers.find({ _id: { $in: ids } }, { projection: { status: 1 } })
      .toArray();
    response.json(found.map(({ _id, status }) => ({ id: _id.toHexString(), status })));
  });
  router.post(`${offersPath}/:id/told`, async (request, response) => {
    const _id = new ObjectId(parsed(id, request.params.id));
    await collectionsOf(context.db).waitlistOffers.updateOne({ _id }, { $set: { told: true } });
    response.json({});
  });
}

function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const { success, data } = schema.safeParse(value);
  if (!success) throw new ProblemError('validation_failed', { detail: 'This isn’t a request of svc-messages.' });
  return data;
}

/** The current state of visits, also whose they are; deleted ones are missing. */
async function visitsNow(context: ClinicContext, ids: readonly string[]) {
  await catchUpWithAccounts(context);
  const collections = collectionsOf(context.db);
  const clock = clinicClock(context.settings);
  const { today } = clock;
  const found = await collections.appointments.find({ _id: { $in: ids.map((one) => new ObjectId(one)) } }).toArray();
  const open = await openQuestions(collections, found, clock);
  const asked = new Set(open.map(({ visit }) => visit));
  const willCome = await askedToConfirm(collections, found, context.settings, clock);
  // A reminder of the day before has it, too.
  const isNear = (record: AppointmentRecord): boolean =>
    record.status !== 'Cancelled' && (record.date === addDays(today, 1) || isVisitOfToday(record, clock));
  const codes = new Map<AppointmentRecord, string>();
  for (const record of found) if (isNear(record)) codes.set(record, await arrivalCodeOf(collections, record));
  return found.map((record) => {
    const { place, minutes } = visitOf(record);
    const code = codes.get(record);
    return {
      ...visitInMessage(record, record.sequence ?? 0),
      minutes,
      ...(place && { place }),
      ...(asked.has(record) && { questions: true }),
      ...(code !== undefined && { code }),
      ...(willCome(record) === false && { toConfirm: true }),
      patient: record.patientId,
      changeUntil: changeUntil(record, context.settings).toISOString(),
    };
  });
}

/** The free times of the visit's doctor in the next days; none if the doctor can't be booked. */
async function freeTimesToMoveTo(context: ClinicContext, visit: string) {
  const collections = collectionsOf(context.db);
  const record = await collections.appointments.findOne({ _id: new ObjectId(visit) });
  const doctor = record && (await collections.doctors.findOne({ email: record.doctorEmail }));
  if (!doctor || !isBookable(doctor)) return [];
  const clock = await withHolidays(clinicClock(context.settings), collections);
  const until = addDays(clock.today, offeredDays);
  const days = { from: clock.today, until };
  const taken = await takenTime(collections.appointments, doctor.email, days, clock.timeZone, {
    apartFrom: [record._id],
  });
  return daysOf({ from: clock.today, to: until })
    .map((date) => ({ date, times: freeTimesOfDay(doctor, date, taken, clock) }))
    .filter(({ times }) => times.length > 0);
}

/**
 * Cancels or moves a visit as its patient, or notes that they will come or are here, with all rules that the patient's own request would meet.
 *
 * @throws ProblemError `not_found`; `transition_refused` if it has changed since the message; `forbidden` if the
 *   account is switched off; and those of `changeAppointmentStatus` and `rescheduleAppointment`
 */
async function changeByLink(
  context: ClinicContext,
  visit: ObjectId,
  { account, seen, change: asked }: z.output<typeof linkedChange>,
): Promise<Appointment> {
  const collections = collectionsOf(context.db);
  const clock = clinicClock(context.settings);
  if (!(await readStanding(context, account)).active) throw new ProblemError('forbidden');
  const record = await collections.appointments.findOne({ _id: visit, patientId: account });
  if (!record) throw new ProblemError('not_found', { detail: 'We can’t find this appointment.' });
  const change = linkedChangeOf(context, record, account);
  try {
    return await context.inTransaction(async (session) => {
      await assertAsSeen(change, seen, session);
      if (asked.act === 'come') return promiseToCome(change, session);
      if (asked.act === 'arrive') return changeAttendance(change, { from: 'expected', to: 'arrived' }, session);
      return asked.act === 'cancel'
        ? changeAppointmentStatus(change, { newStatus: 'Cancelled' }, session)
        : rescheduleAppointment(change, { date: asked.date, time: asked.time }, session);
    });
  } catch (error) {
    if (asked.act !== 'move') throw error;
    const { date, time } = asked;
    throw await explainTakenSlot(error, { doctorEmail: record.doctorEmail, date, time }, collections, clock);
  }
}

function linkedChangeOf(context: ClinicContext, record: AppointmentRecord, account: string): AppointmentChange {
  const caller = { id: account, email: record.patientEmail, role: 'patient', confirmed: true } as const;
  return {
    db: context.db,
    collections: collectionsOf(context.db),
    rules: context.settings,
    id: record._id,
    caller,
    clock: clinicClock(context.settings),
    recordChange: historyRecorder(context, { call: 'message link', caller, requestId: 'message link' }),
    assertMayTouch: ({ patient }) => {
      if (patient !== account) throw new ProblemError('forbidden');
    },
  };
}

/** A link does what its message says, or nothing. */
async function assertAsSeen(
  { collections, id: _id }: AppointmentChange,
  seen: z.output<typeof linkedChange>['seen'],
  session: Parameters<Parameters<ClinicContext['inTransaction']>[0]>[0],
): Promise<void> {
  const { date, time, doctorName } = await appointmentById(collections, _id, session);
  if (date !== seen.date || time !== seen.time)
    throw refused('This appointment has been moved since we sent this message. Log in to see it.');
  if (seen.doctor !== undefined && doctorName !== seen.doctor)
    throw refused(`This appointment is with ${doctorName} now. Log in to see it.`);
}
