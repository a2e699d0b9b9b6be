import { daysBetween } from '@clinic/contracts/clinic-time';
import { defineCalls } from '@clinic/contracts/define-calls';
import { email, id, isoDate, maxText, timeOfDay } from '@clinic/contracts/schemas/fields';
import { z } from 'zod';
import { appointments, desk, ownDoctor } from './desk.ts';
import { appointment } from './appointment-schema.ts';
import { calendarLimits as limits, scheduleLimits } from './limits.ts';
import { shownPerson } from './patient.ts';

const span = z.object({ from: z.string(), until: z.string() });

/** One day of a doctor; times are 'HH:mm' in the clinic's time zone, ends also '24:00'. Hours across midnight are in both days. */
export const calendarDay = z.object({
  date: z.string(),
  /** Why there are no times. */
  closed: z.enum(['holiday', 'day off', 'no hours']).optional(),
  /** Name of the holiday. */
  holiday: z.string().optional(),
  /** The day's hours, including extra hours and those in `off`. */
  hours: z.array(z.object({ ...span.shape, place: z.string() })),
  /** The day's exceptions that block time, as the schedule has them. Front-ends of earlier releases draw these. */
  off: z.array(span),
  /** What is blocked between two midnights, each with the exception that it is part of; services of earlier releases omit it. */
  blocks: z.array(span.extend({ exception: span.extend({ date: z.string() }) })).optional(),
  /** The times of the schedule; not `free` if taken, past or beyond the last bookable day. */
  slots: z.array(z.object({ time: z.string(), until: z.string(), free: z.boolean() })),
});
export type CalendarDay = z.output<typeof calendarDay>;

export const calendarDoctor = z.object({
  _id: id,
  name: z.string(),
  email: z.string(),
  specialization: z.string(),
  location: z.string(),
  /** Always false, as that of free times. */
  anyTime: z.boolean(),
  days: z.array(calendarDay),
});
export type CalendarDoctor = z.output<typeof calendarDoctor>;

/** A patient of earlier appointments, with what tells namesakes apart and what a booking takes. */
export const foundPatient = z.object({
  /** Their latest appointment. */
  appointment: id,
  ...shownPerson,
  /** The day and the doctor of that appointment. */
  date: z.string(),
  doctorname: z.string(),
});
export type FoundPatient = z.output<typeof foundPatient>;

export type ClinicCalendar = z.output<typeof calendarCalls.getClinicCalendar.response>;
export type CalendarAppointment = ClinicCalendar['appointments'][number];

/** Where an appointment can go, and what its patient would be promised. */
export const plannedMove = z.object({
  _id: id,
  /** Absent: nowhere. */
  to: z
    .object({
      doctoremail: z.string(),
      doctorname: z.string(),
      date: z.string(),
      time: z.string(),
      minutes: z.number(),
      place: z.string(),
    })
    .optional(),
  /** Why it can go nowhere. */
  conflict: z.string().optional(),
});
export type PlannedMove = z.output<typeof plannedMove>;

/** The calls behind the staff's week and day calendar. */
export const calendarCalls = defineCalls('clinic', {
  findPatients: {
    method: 'GET',
    path: '/appoinments/patients',
    access: { kind: 'restricted', ...desk, self: { in: 'query', field: 'email', role: 'doctor' } },
    summary: 'Find the patients of earlier appointments, or with email those of this doctor, to book for one of them',
    query: z.object({
      /** Beginnings of words of the name or the email address, or of the phone number. */
      q: z
        .string({ error: 'Search is required' })
        .trim()
        .min(limits.searchedLetters, `Search for at least ${limits.searchedLetters} letters`)
        .max(maxText),
      /** The doctor whose patients are searched; admins may omit it to search everybody's. */
      email: email.optional(),
    }),
    /** Those who were here last come first. */
    response: z.array(foundPatient),
    decides: { 'query.email': 'session', 'query.q': 'filter' },
    shows: { ...appointments, ownWork: true, narrowedBy: ['email', 'q'] },
  },
  planDay: {
    method: 'POST',
    path: '/appoinments/day/times',
    errors: ['not_found'],
    access: { kind: 'restricted', ...desk, owners: ownDoctor },
    summary: 'Work out where the appointments of a doctor who is away can go, each another time, without moving them',
    body: z.object({
      appointments: z
        .array(id)
        .min(1, 'Name at least one appointment')
        .max(scheduleLimits.outside, `At most ${scheduleLimits.outside} appointments can be moved at once`),
      /** Colleagues who can take them, the first who is free; if omitted, their own doctor. Only the desk hands over. */
      colleagues: z
        .array(email)
        .min(1, 'Name at least one colleague')
        .max(limits.doctors, `At most ${limits.doctors} colleagues can be asked at once`)
        .optional(),
      /** The day they go to; if omitted, each its own. */
      date: isoDate('Date').optional(),
      /** The earliest time of that day. */
      from: timeOfDay.optional(),
      /** Where an appointment's own time isn't free, the nearest one of that day will do. */
      otherTimes: z.boolean({ error: 'otherTimes must be true or false' }).optional(),
      /** The day isn't closed to new bookings before they move; earlier front-ends close it. */
      staysOpen: z.boolean({ error: 'staysOpen must be true or false' }).optional(),
    }),
    /** In order of the appointments. */
    response: z.array(plannedMove),
    decides: {
      'body.appointments': 'record',
      'body.colleagues': 'database',
      'body.date': 'database',
      'body.from': 'content',
      'body.otherTimes': 'content',
      'body.staysOpen': 'content',
    },
    // Where a patient has other appointments.
    shows: { what: 'appointments', whose: '', ownWork: true },
  },
  closeDay: {
    method: 'PATCH',
    path: '/doctors/:id/day',
    errors: ['not_found'],
    access: { kind: 'restricted', ...desk, owners: ownDoctor },
    summary: "Close a doctor's day, or its hours until a time, to new bookings, or open it again",
    params: z.object({ id }),
    body: z.object({
      date: isoDate('Date'),
      closed: z.boolean({ error: 'closed must be true or false' }),
      /** Only the hours before this time; if omitted, the whole day. */
      until: timeOfDay.optional(),
    }),
    /** `changed`: it was the other before. */
    response: z.object({ changed: z.boolean() }),
    decides: { 'params.id': 'record', 'body.date': 'content', 'body.closed': 'content', 'body.until': 'content' },
  },
  getClinicCalendar: {
    method: 'GET',
    path: '/doctors/calendar',
    errors: ['not_found'],
    access: { kind: 'restricted', ...desk, owners: ownDoctor },
    summary: "Get a doctor's appointments, hours and free times of up to 7 days, or (admins) all doctors' of one day",
    query: z
      .object({
        /** The doctor; if omitted, all doctors, for admins. */
        doctor: id.optional(),
        /** First and last day, inclusive. */
        from: isoDate('From'),
        until: isoDate('Until'),
        /** With all doctors: only those after this one, in order of their names. */
        after: id.optional(),
      })
      .refine(
        ({ doctor, from, until }) =>
          from <= until && daysBetween(from, until) < (doctor === undefined ? 1 : limits.days),
        {
          path: ['until'],
          message: `Until can’t be before From, and the period can be at most ${limits.days} days of one doctor, or one day of all doctors`,
        },
      ),
    response: z.object({
      doctors: z.array(calendarDoctor),
      /** Pending and confirmed ones, earliest first. */
      appointments: z.array(
        appointment.extend({
          /** 'HH:mm' or '24:00', also of one that goes on after midnight: `end` has its end. */
          ends: z.string(),
          /** Outside the doctor's hours, and nobody has decided to keep it. */
          outside: z.boolean(),
        }),
      ),
      /** Further doctors follow: call again with `after`. */
      more: z.boolean(),
      /** False if there are more appointments than one response holds. */
      complete: z.boolean(),
    }),
    decides: { 'query.doctor': 'record', 'query.from': 'filter', 'query.until': 'filter', 'query.after': 'filter' },
    shows: { what: 'appointments', whose: 'appointments.patientemail', ownWork: true },
  },
});
