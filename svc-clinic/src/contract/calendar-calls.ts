import { daysBetween } from '@clinic/contracts/clinic-time';
import { defineCalls } from '@clinic/contracts/define-calls';
import { calendarLimits as limits } from '@clinic/contracts/limits';
import { email, id, isoDate, maxText } from '@clinic/contracts/schemas/fields';
import { z } from 'zod';
import { appointment } from './appointment-schema.ts';
import { desk } from './desk.ts';
import { shownPatient } from './patient.ts';

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

const { reason: _reason, ...patient } = shownPatient;

/** A patient of earlier appointments, with what tells namesakes apart and what a booking takes. */
export const foundPatient = z.object({
  /** Their latest appointment. */
  appointment: id,
  ...patient,
  /** The day and the doctor of that appointment. */
  date: z.string(),
  doctorname: z.string(),
});
export type FoundPatient = z.output<typeof foundPatient>;

export type ClinicCalendar = z.output<typeof calendarCalls.getClinicCalendar.response>;
export type CalendarAppointment = ClinicCalendar['appointments'][number];

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
    shows: { what: 'appointments', whose: 'patientemail', ownWork: true, narrowedBy: ['email', 'q'] },
  },
  getClinicCalendar: {
    method: 'GET',
    path: '/doctors/calendar',
    errors: ['not_found'],
    access: { kind: 'restricted', ...desk, owners: [{ as: 'doctor', role: 'doctor' }] },
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
