import { eventFilters, filters, lookers, periodFilters } from '@clinic/contracts/authority';
import { defineRoutes } from '@clinic/contracts/define-routes';
import { calendarRoutes } from './calendar-routes.ts';
import { calendarFeedRoutes } from './calendar-feed-routes.ts';
import { schedulingLinkRoutes } from './scheduling-link-routes.ts';
import { scheduleRoutes } from './schedule-routes.ts';
import { waitlistRoutes } from './waitlist-routes.ts';
import { seriesRoutes } from './series-routes.ts';
import type { clinicSchemas } from './schemas.ts';

const admin = ['admin'] as const;
const appointments = { what: 'appointments', whose: 'patientemail' } as const;
const appointmentList = { ...appointments, ownWork: true, narrowedBy: ['email', 'q', 'from', 'until'] } as const;
const profile = { what: 'profile', whose: 'email' } as const;
const directory = 'the public directory of doctors';

/** The calls of svc-clinic, by name; docs/identity.md says who may make which. */
export const clinicRoutes = defineRoutes('clinic', {
  listDoctors: {
    method: 'GET',
    path: '/doctors',
    access: { kind: 'everyone' },
    errors: ['not_found'],
    paged: true,
    summary: 'List all doctors, or with _id one doctor',
    decides: filters('_id', 'email', 'from', 'until', 'part'),
    unnoted: directory,
  },
  listFreeTimes: {
    method: 'GET',
    path: '/doctors/:id/free-times',
    access: { kind: 'everyone' },
    errors: ['not_found'],
    summary: "List a doctor's free times on one day",
    decides: { 'params.id': 'filter', 'query.date': 'filter' },
  },
  listFreeDays: {
    method: 'GET',
    path: '/doctors/:id/free-days',
    access: { kind: 'everyone' },
    errors: ['not_found'],
    summary: 'List the days in a period when a doctor has free times',
    decides: { 'params.id': 'filter', 'query.from': 'filter', 'query.until': 'filter' },
  },
  listAppointmentsOutsideTimes: {
    method: 'GET',
    path: '/doctors/:id/outside-times',
    errors: ['not_found'],
    access: { kind: 'restricted', roles: admin, owners: [{ as: 'doctor', role: 'doctor' }] },
    summary: "List upcoming appointments on a doctor's days off or outside the listed times",
    decides: { 'params.id': 'record' },
    shows: { ...appointments, ownWork: true },
  },
  ...scheduleRoutes,
  ...waitlistRoutes,
  ...calendarRoutes,
  ...seriesRoutes,
  changeAvailability: {
    method: 'PATCH',
    path: '/doctors/:id',
    errors: ['not_found'],
    access: { kind: 'restricted', roles: admin, owners: [{ as: 'doctor', role: 'doctor' }] },
    summary: "Change a doctor's times, days off, and whether they take appointments; existing appointments stay",
    decides: {
      'params.id': 'record',
      'body.availableTimes': 'content',
      'body.daysOff': 'content',
      'body.isAvailable': 'content',
      'body.seen': 'record',
    },
    unnoted: directory,
  },
  listPharmacists: {
    method: 'GET',
    path: '/pharmacists',
    access: { kind: 'restricted', roles: admin },
    paged: true,
    summary: 'List all pharmacists',
    shows: { ...profile, narrowedBy: ['q'] },
  },
  createProfile: {
    method: 'POST',
    path: '/doc-pharma',
    access: { kind: 'restricted', roles: admin },
    status: 201,
    errors: ['duplicate'],
    summary: "Create a doctor's or pharmacist's profile",
    decides: { 'body.email': 'database', 'body.role': 'content' },
    unnoted: 'what the admin has just entered',
  },
  changeDoctor: {
    method: 'PATCH',
    path: '/doctors/:id/profile',
    access: { kind: 'restricted', roles: admin },
    errors: ['not_found'],
    summary: "Change a doctor's public profile",
    decides: { 'params.id': 'record' },
    unnoted: directory,
  },
  changePharmacist: {
    method: 'PATCH',
    path: '/pharmacists/:id',
    access: { kind: 'restricted', roles: admin },
    errors: ['not_found'],
    summary: "Change a pharmacist's profile, including whether they are on leave",
    decides: { 'params.id': 'record', 'body.phone': 'content', 'body.status': 'content' },
    shows: profile,
  },
  getProfiles: {
    method: 'GET',
    path: '/doc-pharma/:email',
    access: { kind: 'restricted', roles: admin, self: { in: 'params', field: 'email' } },
    summary: 'List the doctor profiles with one email address',
    decides: { 'params.email': 'session' },
    shows: profile,
  },
  listAppointments: {
    method: 'GET',
    path: '/appoinments',
    paged: true,
    access: { kind: 'restricted', roles: admin, self: { in: 'query', field: 'email' } },
    summary: 'List all appointments, or with email those where that person is patient or doctor',
    decides: filters('email', 'status', 'open', 'when', 'from', 'until'),
    shows: appointmentList,
  },
  listUnconfirmedAppointments: {
    method: 'GET',
    path: '/appoinments/unconfirmed',
    paged: true,
    access: { kind: 'restricted', roles: admin, self: { in: 'query', field: 'email', role: 'doctor' } },
    summary: 'List the appointments waiting for this doctor to confirm',
    decides: filters('email', 'status', 'open', 'when', 'from', 'until'),
    shows: appointmentList,
  },
  listClinicLooks: {
    method: 'GET',
    path: '/appoinments/looks',
    looks: true,
    paged: true,
    access: { kind: 'restricted', roles: admin, self: { in: 'query', field: 'email' } },
    summary: "List which staff viewed a person's appointments or profile, newest first",
    decides: { 'query.email': 'session' },
    unnoted: lookers,
  },
  watchAppointments: {
    method: 'GET',
    path: '/appoinments/changes',
    access: { kind: 'session' },
    media: 'text/event-stream',
    summary:
      "Stream which lists to reload each time one of the caller's appointments changes (for admins: any appointment)",
  },
  listClinicEvents: {
    method: 'GET',
    path: '/appoinments/events',
    access: { kind: 'restricted', roles: admin },
    paged: true,
    summary: 'List all events on appointments and profiles, newest first',
    decides: eventFilters,
    shows: { ...appointments, whose: 'people', narrowedBy: ['person', 'record'] },
  },
  reportAppointments: {
    method: 'GET',
    path: '/appoinments/report',
    access: { kind: 'restricted', roles: admin },
    summary: 'Report the appointments in a period by day, specialty and doctor',
    decides: periodFilters,
    unnoted: directory,
  },
  exportClinicData: {
    method: 'GET',
    path: '/appoinments/export',
    personalData: 'copy',
    errors: ['proof_needed', 'rate_limited'],
    access: { kind: 'restricted', roles: admin, self: { in: 'query', field: 'email' }, freshProof: 'forOthers' },
    summary: 'Export everything the clinic service holds about a person',
    decides: { 'query.email': 'session' },
    shows: { ...appointments, whose: 'told', copy: true },
  },
  eraseClinicData: {
    method: 'POST',
    path: '/appoinments/erasure',
    personalData: 'erasure',
    errors: ['proof_needed', 'staff_account'],
    access: { kind: 'restricted', roles: admin, self: { in: 'body', field: 'email' }, freshProof: 'always' },
    summary: 'Read how far the deletion of a person has got in the clinic, for earlier front-ends',
    decides: { 'body.email': 'database', 'body.userId': 'ignored', 'body.emailConfirmed': 'ignored' },
  },
  bookAppointment: {
    method: 'POST',
    path: '/appoinments',
    status: 201,
    errors: ['slot_taken', 'too_many_appointments', 'idempotency_mismatch', 'in_progress', 'rate_limited'],
    idempotent: true,
    access: { kind: 'restricted', roles: admin, self: { in: 'body', field: 'patientemail' } },
    summary: 'Book a slot; the status is always Pending',
    decides: {
      'body.patientemail': 'session',
      'body.doctoremail': 'database',
      'body.date': 'database',
      'body.time': 'database',
      'body.doctorname': 'ignored',
      'body.status': 'ignored',
      'body.alsoThen': 'content',
    },
    unnoted: 'what the caller has just entered',
  },
  changeAppointmentStatus: {
    method: 'PATCH',
    path: '/update-appoinment/:id',
    errors: ['not_found', 'transition_refused', 'too_late', 'rate_limited'],
    access: { kind: 'restricted', roles: admin, owners: [{ as: 'patient' }, { as: 'doctor', role: 'doctor' }] },
    summary: 'Confirm or cancel an appointment',
    decides: {
      'params.id': 'record',
      'body.newStatus': 'record',
      'body.patientChoice': 'content',
      'body.seen.date': 'record',
      'body.seen.time': 'record',
      'body.seen.status': 'record',
    },
    shows: appointments,
  },
  rescheduleAppointment: {
    method: 'PATCH',
    path: '/appoinments/:id',
    errors: ['not_found', 'slot_taken', 'too_many_appointments', 'transition_refused', 'too_late', 'rate_limited'],
    access: { kind: 'restricted', roles: admin, owners: [{ as: 'patient' }, { as: 'doctor', role: 'doctor' }] },
    summary: 'Move an appointment to another free slot of its doctor; if its patient moves it, it is Pending again',
    decides: { 'params.id': 'record', 'body.date': 'database', 'body.time': 'database', 'body.alsoThen': 'content' },
    shows: appointments,
  },
  moveToColleague: {
    method: 'PATCH',
    path: '/appoinments/:id/doctor',
    errors: ['not_found', 'slot_taken', 'too_many_appointments', 'transition_refused'],
    access: { kind: 'restricted', roles: admin },
    summary: 'Move an appointment to a free slot of another doctor, and record what its patient said',
    decides: {
      'params.id': 'record',
      'body.doctoremail': 'database',
      'body.date': 'database',
      'body.time': 'database',
      'body.patientChoice': 'content',
      'body.alsoThen': 'content',
    },
    shows: appointments,
  },
  correctAppointment: {
    method: 'PATCH',
    path: '/appoinments/:id/details',
    errors: ['not_found', 'transition_refused'],
    access: { kind: 'restricted', roles: admin, owners: [{ as: 'doctor', role: 'doctor' }] },
    summary: "Correct the patient's name, age, phone number or address on an appointment",
    decides: { 'params.id': 'record' },
    shows: appointments,
  },
  getAppointmentCalendar: {
    method: 'GET',
    path: '/appoinments/:id/calendar',
    errors: ['not_found'],
    media: 'text/calendar',
    access: { kind: 'restricted', roles: admin, owners: [{ as: 'patient' }, { as: 'doctor', role: 'doctor' }] },
    summary: 'Get an appointment as a calendar file (RFC 5545)',
    decides: { 'params.id': 'record' },
    shows: { ...appointments, whose: 'told' },
  },
  ...calendarFeedRoutes,
  ...schedulingLinkRoutes,
  getAppointmentHistory: {
    method: 'GET',
    path: '/appoinments/:id/history',
    errors: ['not_found'],
    access: { kind: 'restricted', roles: admin, owners: [{ as: 'patient' }, { as: 'doctor', role: 'doctor' }] },
    summary: "List an appointment's history, newest first",
    decides: { 'params.id': 'record' },
    shows: { ...appointments, whose: 'told' },
  },
});

/** Types of the calls for client, hooks and handlers. */
type ClinicCalls = {
  [Id in keyof typeof clinicRoutes]: (typeof clinicRoutes)[Id] & (typeof clinicSchemas)[Id];
};

declare module '@clinic/contracts/domain' {
  interface DomainCalls extends ClinicCalls {}
}
