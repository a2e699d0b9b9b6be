import { filters } from '@clinic/contracts/authority';
import { daysBetween } from '@clinic/contracts/clinic-time';
import { defineCalls } from '@clinic/contracts/define-calls';
import { asSeen, email, id, isoDate, maxText, paging, timeOfDay } from '@clinic/contracts/schemas/fields';
import { changedLists, historyEntry } from '@clinic/contracts/schemas/history';
import { z } from 'zod';
import { appointments, desk, ownDoctor, patientOrDoctor } from './desk.ts';
import { alsoThen, appointment, appointmentStatus, patientChoice, seenSlot } from './appointment-schema.ts';
import { attendanceCalls } from './attendance-calls.ts';
import { calendarFeedCalls } from './calendar-feed-calls.ts';
import { calendarCalls } from './calendar-calls.ts';
import { partsOfDay } from './limits.ts';
import { moveCalls } from './moves.ts';
import { bookedPatient, patientDetails, seenPerson } from './patient.ts';
import { questionCalls } from './question-calls.ts';
import { profileCalls } from './profile-calls.ts';
import { doctor } from './profile-schemas.ts';
import { recordsCalls } from './records-calls.ts';
import { scheduleCalls } from './schedule-calls.ts';
import { outsideAppointment } from './schedule-schemas.ts';
import { schedulingLinkCalls } from './scheduling-link-calls.ts';
import { freeDays, freeTimes, saysSomething } from './schemas.ts';
import { seriesCalls } from './series-calls.ts';
import { waitingRoomCalls } from './waiting-room-calls.ts';
import { waitlistCalls } from './waitlist-calls.ts';
import './problems.ts';

const admin = ['admin'] as const;
const appointmentList = { ...appointments, ownWork: true, narrowedBy: ['email', 'q', 'from', 'until'] } as const;
const directory = 'the public directory of doctors';

/** Longest period of days off in one request. */
const mostDays = 62;

const appointmentFilters = {
  ...paging,
  status: appointmentStatus.optional(),
  /** Only appointments that hold their slot: pending and confirmed ones. */
  open: z.literal('true', { error: 'Open must be true or left out' }).optional(),
  /** Only upcoming or only past ones, by the clinic's clock. */
  when: z.enum(['coming', 'past'], { error: 'When must be coming or past' }).optional(),
  /** First and last day, inclusive. */
  from: isoDate('From').optional(),
  until: isoDate('Until').optional(),
};

/** The calls of svc-clinic, by name. */
export const clinicCalls = defineCalls('clinic', {
  listDoctors: {
    method: 'GET',
    path: '/doctors',
    access: { kind: 'everyone' },
    errors: ['not_found'],
    paged: true,
    summary: 'List all doctors, or with _id one doctor',
    query: z.object({
      ...paging,
      _id: id.optional(),
      email: email.optional(),
      specialty: z.string().max(maxText).optional(),
      /** Only doctors with a free time in this period: first and last day, inclusive, and part of the day. */
      from: isoDate('From').optional(),
      until: isoDate('Until').optional(),
      part: z.enum(partsOfDay, { error: `Part must be one of ${partsOfDay.join(', ')}` }).optional(),
    }),
    response: z.union([z.array(doctor), doctor]),
    decides: filters('_id', 'email', 'from', 'until', 'part'),
    unnoted: directory,
  },
  listFreeTimes: {
    method: 'GET',
    path: '/doctors/:id/free-times',
    access: { kind: 'everyone' },
    errors: ['not_found'],
    summary: "List a doctor's free times on one day",
    params: z.object({ id }),
    query: z.object({ date: isoDate('Date') }),
    response: freeTimes,
    decides: { 'params.id': 'filter', 'query.date': 'filter' },
  },
  listFreeDays: {
    method: 'GET',
    path: '/doctors/:id/free-days',
    access: { kind: 'everyone' },
    errors: ['not_found'],
    summary: 'List the days in a period when a doctor has free times',
    params: z.object({ id }),
    query: z
      .object({ from: isoDate('From'), until: isoDate('Until') })
      .refine(({ from, until }) => from <= until && daysBetween(from, until) < mostDays, {
        path: ['until'],
        message: `Until can’t be before From, and the period can be at most ${mostDays} days`,
      }),
    response: freeDays,
    decides: { 'params.id': 'filter', 'query.from': 'filter', 'query.until': 'filter' },
  },
  listAppointmentsOutsideTimes: {
    method: 'GET',
    path: '/doctors/:id/outside-times',
    errors: ['not_found'],
    access: { kind: 'restricted', roles: admin, owners: ownDoctor },
    summary: "List upcoming appointments on a doctor's days off or outside the listed times",
    params: z.object({ id }),
    // What no longer fits; services of earlier releases omit it.
    response: z.array(appointment.extend({ why: outsideAppointment.shape.why, now: outsideAppointment.shape.now })),
    decides: { 'params.id': 'record' },
    shows: { ...appointments, ownWork: true },
  },
  ...calendarCalls,
  ...attendanceCalls,
  ...waitingRoomCalls,
  ...questionCalls,
  ...scheduleCalls,
  ...waitlistCalls,
  ...seriesCalls,
  ...profileCalls,
  getProfiles: {
    method: 'GET',
    path: '/doc-pharma/:email',
    access: { kind: 'restricted', roles: admin, self: { in: 'params', field: 'email' } },
    summary: 'List the doctor profiles of one person',
    params: z.object({ email }),
    /** The account an admin asks about, whoever has the address by now; without it that of the address. */
    query: z.object({ account: id.optional() }),
    response: z.array(doctor),
    decides: { 'params.email': 'session', 'query.account': 'filter' },
    shows: { what: 'profile', whose: 'email' },
  },
  ...recordsCalls,
  listAppointments: {
    method: 'GET',
    path: '/appoinments',
    paged: true,
    access: { kind: 'restricted', ...desk, self: { in: 'query', field: 'email' } },
    summary: 'List all appointments, or with email those where that person is patient or doctor',
    query: z.object({ ...appointmentFilters, email: email.optional() }),
    response: z.array(appointment),
    decides: filters('email', 'status', 'open', 'when', 'from', 'until'),
    shows: appointmentList,
  },
  listUnconfirmedAppointments: {
    method: 'GET',
    path: '/appoinments/unconfirmed',
    paged: true,
    access: { kind: 'restricted', ...desk, self: { in: 'query', field: 'email', role: 'doctor' } },
    summary: 'List the appointments waiting for this doctor to confirm',
    query: z.object({ ...appointmentFilters, email }),
    response: z.array(appointment),
    decides: filters('email', 'status', 'open', 'when', 'from', 'until'),
    shows: appointmentList,
  },
  watchAppointments: {
    method: 'GET',
    path: '/appoinments/changes',
    access: { kind: 'session' },
    media: 'text/event-stream',
    summary:
      "Stream which lists to reload each time one of the caller's appointments changes (for admins: any appointment)",
    response: changedLists,
  },
  bookAppointment: {
    method: 'POST',
    path: '/appoinments',
    status: 201,
    errors: [
      'slot_taken',
      'too_many_appointments',
      'changed_meanwhile',
      'idempotency_mismatch',
      'in_progress',
      'rate_limited',
    ],
    idempotent: true,
    access: { kind: 'restricted', ...desk, self: { in: 'body', field: 'patientemail' } },
    summary: 'Book a slot; the status is always Pending',
    // `status` is accepted because front-ends send it, and ignored: a booking always starts Pending.
    body: z.object({
      ...bookedPatient,
      date: isoDate('Date'),
      time: timeOfDay,
      doctorname: z.string().max(maxText).optional(),
      doctoremail: email,
      status: z.string().optional(),
      alsoThen,
      /** Somebody stands at the desk; counts only from there. */
      walkIn: z.boolean({ error: 'walkIn must be true or false' }).optional(),
    }),
    response: appointment,
    decides: {
      'body.patientemail': 'session',
      'body.userId': 'database',
      'body.doctoremail': 'database',
      'body.date': 'database',
      'body.time': 'database',
      'body.doctorname': 'ignored',
      'body.status': 'ignored',
      'body.alsoThen': 'content',
      'body.walkIn': 'session',
    },
    unnoted: 'what the caller has just entered',
  },
  changeAppointmentStatus: {
    method: 'PATCH',
    path: '/update-appoinment/:id',
    errors: ['not_found', 'transition_refused', 'too_late', 'rate_limited'],
    access: { kind: 'restricted', ...desk, owners: patientOrDoctor },
    summary: 'Confirm or cancel an appointment',
    params: z.object({ id }),
    body: z.object({
      newStatus: appointmentStatus,
      patientChoice: patientChoice.optional(),
      /** The appointment as it was on screen: if it has moved or changed since, the change is rejected. */
      seen: asSeen(seenSlot.extend({ status: appointmentStatus })),
    }),
    response: appointment,
    decides: {
      'params.id': 'record',
      'body.newStatus': 'record',
      'body.patientChoice': 'content',
      'body.seen': 'record',
    },
    shows: appointments,
  },
  ...moveCalls,
  correctAppointment: {
    method: 'PATCH',
    path: '/appoinments/:id/details',
    errors: ['not_found', 'transition_refused'],
    access: { kind: 'restricted', ...desk, owners: ownDoctor },
    summary: "Correct the patient's name, age, phone number or address on an appointment",
    params: z.object({ id }),
    body: z
      .object({ ...z.object(patientDetails).partial().shape, seen: asSeen(seenPerson) })
      .refine(({ seen: _seen, ...details }) => saysSomething(details), {
        error: 'Send at least one of patientname, age, address or number',
      }),
    response: appointment,
    decides: { 'params.id': 'record', 'body.seen': 'record' },
    shows: appointments,
  },
  getAppointmentCalendar: {
    method: 'GET',
    path: '/appoinments/:id/calendar',
    errors: ['not_found'],
    media: 'text/calendar',
    access: { kind: 'restricted', ...desk, owners: patientOrDoctor },
    summary: 'Get an appointment as a calendar file (RFC 5545)',
    params: z.object({ id }),
    response: z.string(),
    decides: { 'params.id': 'record' },
    shows: { ...appointments, whose: 'told' },
  },
  ...calendarFeedCalls,
  ...schedulingLinkCalls,
  getAppointmentHistory: {
    method: 'GET',
    path: '/appoinments/:id/history',
    errors: ['not_found'],
    access: { kind: 'restricted', ...desk, owners: patientOrDoctor },
    summary: "List an appointment's history, newest first",
    params: z.object({ id }),
    response: z.array(historyEntry),
    decides: { 'params.id': 'record' },
    shows: { ...appointments, whose: 'told' },
  },
});

/** Types of the calls for client, hooks and handlers. */
type ClinicCalls = typeof clinicCalls;

declare module '@clinic/contracts/domain' {
  interface DomainCalls extends ClinicCalls {}
}
