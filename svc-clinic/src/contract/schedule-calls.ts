import { daysBetween } from '@clinic/contracts/clinic-time';
import { defineCalls } from '@clinic/contracts/define-calls';
import { asSeen, email, id, isoDate, text, timeOfDay } from '@clinic/contracts/schemas/fields';
import { listedTimes as availableTimes } from '@clinic/contracts/schemas/person';
import { z } from 'zod';
import { ownDoctor } from './desk.ts';
import { alsoThen, patientChoice, seenVisit } from './appointment-schema.ts';
import { scheduleLimits as limits } from './limits.ts';
import { doctor } from './profile-schemas.ts';
import { saysSomething } from './schemas.ts';
import {
  holiday,
  outsideAppointment,
  schedule,
  scheduleException,
  schedulePeriod,
  scheduledDay,
} from './schedule-schemas.ts';

const admin = ['admin'] as const;
const outside = { what: 'appointments', whose: 'outside', ownWork: true } as const;

const periods = z.array(schedulePeriod).max(limits.periods, `You can have at most ${limits.periods} periods`);
const exceptions = z
  .array(scheduleException)
  .max(limits.exceptions, `You can list at most ${limits.exceptions} exceptions`);
const daysOff = z.array(isoDate('Day off')).max(limits.daysOff, `You can list at most ${limits.daysOff} days off`);

/** What the staff decide about an appointment outside the doctor's hours. */
const decision = z.discriminatedUnion(
  'act',
  [
    z.object({ act: z.literal('keep') }),
    z.object({ act: z.literal('cancel'), patientChoice }),
    z.object({
      act: z.literal('move'),
      /** A colleague; if omitted, the same doctor. */
      doctoremail: email.optional(),
      date: isoDate('Date'),
      time: timeOfDay,
      patientChoice,
      alsoThen,
    }),
  ],
  { error: 'Act must be keep, move or cancel' },
);

/** What an editor sends: a schedule's content without its version. */
const draft = { periods, daysOff, exceptions };

/** The calls about doctors' weekly hours, exceptions and the clinic's holidays. */
export const scheduleCalls = defineCalls('clinic', {
  changeAvailability: {
    method: 'PATCH',
    path: '/doctors/:id',
    errors: ['not_found'],
    access: { kind: 'restricted', roles: admin, owners: ownDoctor },
    summary: "Change a doctor's times, days off, and whether they take appointments; existing appointments stay",
    params: z.object({ id }),
    // Omitted fields stay unchanged.
    body: z
      .object({
        availableTimes: availableTimes.optional(),
        daysOff: daysOff.optional(),
        isAvailable: z.boolean({ error: 'isAvailable must be true or false' }).optional(),
        /**
         * The times and days off that the editor started from. With it, only what the editor added and removed changes,
         * and what others saved in the meantime stays. Without it, the lists replace the stored ones.
         */
        seen: asSeen(z.object({ availableTimes, daysOff })),
      })
      .refine(
        ({ seen: _seen, ...changes }) => saysSomething(changes),
        'Include at least one field to change: availableTimes, daysOff or isAvailable',
      ),
    response: doctor,
    decides: {
      'params.id': 'record',
      'body.availableTimes': 'content',
      'body.daysOff': 'content',
      'body.isAvailable': 'content',
      'body.seen': 'record',
    },
    unnoted: 'the public directory of doctors',
  },
  getSchedule: {
    method: 'GET',
    path: '/doctors/:id/schedule',
    errors: ['not_found'],
    access: { kind: 'restricted', roles: admin, owners: ownDoctor },
    summary: "Get a doctor's weekly hours, days off and exceptions",
    params: z.object({ id }),
    response: schedule,
    decides: { 'params.id': 'record' },
  },
  changeSchedule: {
    method: 'PATCH',
    path: '/doctors/:id/schedule',
    errors: ['not_found', 'changed_meanwhile', 'idempotency_mismatch', 'in_progress'],
    idempotent: true,
    access: { kind: 'restricted', roles: admin, owners: ownDoctor },
    summary: "Change a doctor's weekly hours, days off and exceptions, and list the appointments that no longer fit",
    params: z.object({ id }),
    // Omitted parts stay unchanged.
    body: z
      .object({
        /** The version that the editor started from: if the same part has been changed since, that is a conflict. */
        version: z.string({ error: 'Version is required' }).min(1, 'Version is required').max(64),
        takesAppointments: z.boolean({ error: 'takesAppointments must be true or false' }).optional(),
        periods: periods.optional(),
        daysOff: daysOff.optional(),
        exceptions: exceptions.optional(),
      })
      .refine(
        ({ version: _version, ...parts }) => Object.values(parts).some((part) => part !== undefined),
        'Include at least one part to change: takesAppointments, periods, daysOff or exceptions',
      ),
    response: z.object({ schedule, outside: z.array(outsideAppointment) }),
    decides: {
      'params.id': 'record',
      'body.version': 'record',
      'body.takesAppointments': 'content',
      'body.periods': 'content',
      'body.daysOff': 'content',
      'body.exceptions': 'content',
    },
    shows: outside,
  },
  previewSchedule: {
    method: 'POST',
    path: '/doctors/:id/schedule/preview',
    errors: ['not_found'],
    access: { kind: 'restricted', roles: admin, owners: ownDoctor },
    summary: 'Show what patients would be offered with a changed schedule, without saving it',
    params: z.object({ id }),
    body: z.object({ ...draft, from: isoDate('From').optional() }),
    response: z.object({
      /** Why the schedule can't be saved, by field; `days` is then empty. */
      errors: z.array(z.object({ field: z.string(), message: z.string() })),
      days: z.array(scheduledDay),
      outside: z.array(outsideAppointment),
    }),
    decides: {
      'params.id': 'record',
      'body.periods': 'content',
      'body.daysOff': 'content',
      'body.exceptions': 'content',
      'body.from': 'filter',
    },
    shows: outside,
  },
  listHolidays: {
    method: 'GET',
    path: '/doctors/holidays',
    access: { kind: 'everyone' },
    summary: 'List the days on which the clinic is closed, from today on',
    response: z.array(holiday),
    unnoted: 'names of holidays',
  },
  listVisitsOnHolidays: {
    method: 'GET',
    path: '/doctors/holidays/outside',
    access: { kind: 'restricted', roles: admin },
    summary: 'List upcoming appointments on days on which the clinic is closed, until staff keep, move or cancel them',
    response: z.array(outsideAppointment),
    shows: { ...outside, whose: '' },
  },
  addHoliday: {
    method: 'POST',
    path: '/doctors/holidays',
    status: 201,
    errors: ['duplicate'],
    access: { kind: 'restricted', roles: admin },
    summary: 'Close the clinic on some days, and list the appointments booked on them',
    body: z
      .object({ name: text('Name'), from: isoDate('First day'), until: isoDate('Last day') })
      .refine(({ from, until }) => from <= until && daysBetween(from, until) < limits.holidayDays, {
        path: ['until'],
        message: `The last day can’t be before the first, and a holiday can be at most ${limits.holidayDays} days`,
      }),
    /** `outside`: for pages of earlier releases, whose list it is; today's read `listVisitsOnHolidays`. */
    response: z.object({ holiday, outside: z.array(outsideAppointment) }),
    decides: { 'body.from': 'database', 'body.until': 'database' },
    shows: outside,
  },
  removeHoliday: {
    method: 'DELETE',
    path: '/doctors/holidays/:id',
    status: 204,
    errors: ['not_found'],
    access: { kind: 'restricted', roles: admin },
    summary: 'Open the clinic again on the days of a holiday',
    params: z.object({ id }),
    response: z.undefined(),
    decides: { 'params.id': 'record' },
  },
  proposeMoves: {
    method: 'POST',
    path: '/appoinments/outside/times',
    errors: ['not_found'],
    access: { kind: 'restricted', roles: admin, owners: ownDoctor },
    summary:
      'Propose the nearest free time with the same doctor for appointments, each another one, without moving them',
    body: z.object({
      appointments: z
        .array(id)
        .min(1, 'Name at least one appointment')
        .max(limits.outside, `At most ${limits.outside} appointments can be moved at once`),
    }),
    /** In order of the appointments. */
    response: z.array(
      z.object({
        _id: id,
        /** The nearest time that its move would be accepted at, which may be its own; absent if there is none within two weeks. */
        to: z.object({ date: z.string(), time: z.string() }).optional(),
      }),
    ),
    decides: { 'body.appointments': 'record' },
  },
  settleOutside: {
    method: 'PATCH',
    path: '/appoinments/:id/outside',
    errors: ['not_found', 'slot_taken', 'too_many_appointments', 'transition_refused', 'changed_meanwhile'],
    access: { kind: 'restricted', roles: admin, owners: ownDoctor },
    summary: "Keep, move or cancel an appointment that is outside its doctor's hours",
    params: z.object({ id }),
    body: z.object({
      seen: seenVisit,
      decision,
    }),
    response: outsideAppointment,
    decides: { 'params.id': 'record', 'body.seen': 'record', 'body.decision': 'database' },
    shows: { what: 'appointments', whose: '' },
  },
});
