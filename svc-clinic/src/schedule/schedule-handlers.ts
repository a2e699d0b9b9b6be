import { addDays } from '@clinic/contracts';
import type { ScheduledDay } from '../contract/schedule-schemas.ts';
import { assertOwner, daysOf, once, type Handler } from '@clinic/service-kit';
import { ObjectId } from 'mongodb';
import { appointmentChangeOf } from '../appointments/appointment-change.ts';
import { ownershipOf } from '../appointments/appointment-record.ts';
import { isTaken } from '../appointments/free-times.ts';
import { explainTakenSlot } from '../appointments/requested-slot.ts';
import { takenTime } from '../appointments/taken-times.ts';
import { clinicClock, forStaff, type ClinicClock } from '../clinic-clock.ts';
import { collectionsOf } from '../collections.ts';
import { listOutside } from '../doctors/appointments-outside-times.ts';
import { ownDoctor } from '../doctors/read-doctor.ts';
import { historyRecorder, requestedChange } from '../record-change.ts';
import type { ClinicContext } from '../settings.ts';
import { changeSchedule } from './change-schedule.ts';
import { closeDay } from './close-day.ts';
import { addHoliday, appointmentsOn, readHolidays, removeHoliday, toHoliday, withHolidays } from './holidays.ts';
import { proposeMoves } from './propose-moves.ts';
import { scheduleFaults } from './schedule-faults.ts';
import { scheduledBy, toSchedule } from './schedule-of.ts';
import { settleOutside } from './settle-outside.ts';
import { workingDay, type ScheduledDoctor } from './working-times.ts';

/** Days that a preview shows. */
const previewedDays = 7;

/** Handlers of the calls about schedules and holidays. */
export function scheduleHandlers(context: ClinicContext) {
  const collections = collectionsOf(context.db);
  const { doctors, appointments } = collections;
  const rules = context.settings;
  const now = () => clinicClock(rules);

  const getSchedule: Handler<'getSchedule'> = async (request) =>
    toSchedule(await ownDoctor(doctors, request), now().today);

  const change: Handler<'changeSchedule'> = async (request) => {
    await ownDoctor(doctors, request);
    const { today } = now();
    const { schedule } = await once(context, request, async (session) => ({
      schedule: toSchedule(await changeSchedule(requestedChange(context, request), today, session), today),
      outside: [],
    }));
    // After the transaction: bookings that it couldn't see are in the list, too.
    const changed = await ownDoctor(doctors, request);
    return { schedule, outside: await listOutside(appointments, changed, await withHolidays(now(), collections)) };
  };

  const close: Handler<'closeDay'> = async (request) => {
    await ownDoctor(doctors, request);
    const closing = requestedChange(context, request);
    return { changed: await context.inTransaction((session) => closeDay(closing, now().today, session)) };
  };

  const preview: Handler<'previewSchedule'> = async (request) => {
    const doctor = await ownDoctor(doctors, request);
    const { from, ...draft } = request.body;
    const clock = await withHolidays(now(), collections);
    const errors = scheduleFaults(draft, clock.today, toSchedule(doctor, clock.today));
    if (errors.length > 0) return { errors, days: [], outside: [] };
    const { email, location } = doctor;
    const scheduled = { email, location, ...scheduledBy(draft, clock.today) };
    const [days, outside] = await Promise.all([
      previewOf(scheduled, from === undefined || from < clock.today ? clock.today : from, clock),
      listOutside(appointments, scheduled, clock),
    ]);
    return { errors, days, outside };
  };

  async function previewOf(
    doctor: ScheduledDoctor & { readonly email: string },
    from: string,
    clock: ClinicClock,
  ): Promise<ScheduledDay[]> {
    const to = addDays(from, previewedDays - 1);
    const taken = await takenTime(appointments, doctor.email, { from, until: to }, clock.timeZone);
    return daysOf({ from, to }).map((date) => {
      const { slots, closed } = workingDay(doctor, date, clock);
      const holiday = clock.holidays.get(date);
      return {
        date,
        ...(closed && { closed }),
        ...(holiday !== undefined && { holiday }),
        times: slots.map((slot) => ({
          time: slot.time,
          place: slot.place,
          taken: isTaken(slot, date, taken, clock),
        })),
      };
    });
  }

  const listHolidays: Handler<'listHolidays'> = async () =>
    (await readHolidays(collections, now().today)).map(toHoliday);

  const onHolidays: Handler<'listVisitsOnHolidays'> = () => appointmentsOn(collections, now());

  const add: Handler<'addHoliday'> = async (request) => {
    const clock = now();
    const added = await context.inTransaction((session) =>
      addHoliday(collections, request.body, clock.today, historyRecorder(context, request), session),
    );
    return { holiday: toHoliday(added), outside: await appointmentsOn(collections, clock, added) };
  };

  const remove: Handler<'removeHoliday'> = async (request) => {
    const id = new ObjectId(request.params.id);
    await context.inTransaction((session) =>
      removeHoliday(collections, id, now().today, historyRecorder(context, request), session),
    );
  };

  const propose: Handler<'proposeMoves'> = async ({ body, call, caller }) =>
    context.inTransaction((session) =>
      proposeMoves(
        {
          collections,
          clock: now(),
          caller,
          ids: body.appointments.map((id) => new ObjectId(id)),
          assertMayTouch: (record) => assertOwner(call.access, caller, ownershipOf(record)),
        },
        session,
      ),
    );

  const settle: Handler<'settleOutside'> = async (request) => {
    const { body } = request;
    const changed = appointmentChangeOf(context, request);
    try {
      return await context.inTransaction((session) => settleOutside(changed, body, session));
    } catch (error) {
      if (body.decision.act !== 'move') throw error;
      const { date, time, doctoremail: doctorEmail = body.seen.doctoremail } = body.decision;
      throw await explainTakenSlot(error, { doctorEmail, date, time }, collections, forStaff(changed.clock));
    }
  };

  return {
    getSchedule,
    changeSchedule: change,
    closeDay: close,
    previewSchedule: preview,
    listHolidays,
    listVisitsOnHolidays: onHolidays,
    addHoliday: add,
    removeHoliday: remove,
    proposeMoves: propose,
    settleOutside: settle,
  };
}
