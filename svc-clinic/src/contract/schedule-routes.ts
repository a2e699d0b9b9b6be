import { defineRoutes } from '@clinic/contracts/define-routes';

const admin = ['admin'] as const;
const outside = { what: 'appointments', whose: 'outside', ownWork: true } as const;
const ownDoctor = [{ as: 'doctor', role: 'doctor' }] as const;

/** The calls about doctors' weekly hours, exceptions and the clinic's holidays. */
export const scheduleRoutes = defineRoutes('clinic', {
  getSchedule: {
    method: 'GET',
    path: '/doctors/:id/schedule',
    errors: ['not_found'],
    access: { kind: 'restricted', roles: admin, owners: ownDoctor },
    summary: "Get a doctor's weekly hours, days off and exceptions",
    decides: { 'params.id': 'record' },
  },
  changeSchedule: {
    method: 'PATCH',
    path: '/doctors/:id/schedule',
    errors: ['not_found', 'changed_meanwhile'],
    access: { kind: 'restricted', roles: admin, owners: ownDoctor },
    summary: "Change a doctor's weekly hours, days off and exceptions, and list the appointments that no longer fit",
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
    unnoted: 'names of holidays',
  },
  addHoliday: {
    method: 'POST',
    path: '/doctors/holidays',
    status: 201,
    errors: ['duplicate'],
    access: { kind: 'restricted', roles: admin },
    summary: 'Close the clinic on some days, and list the appointments booked on them',
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
    decides: { 'params.id': 'record' },
  },
  proposeMoves: {
    method: 'POST',
    path: '/appoinments/outside/times',
    errors: ['not_found'],
    access: { kind: 'restricted', roles: admin, owners: ownDoctor },
    summary:
      'Propose the nearest free time with the same doctor for appointments, each another one, without moving them',
    decides: { 'body.appointments': 'record' },
  },
  settleOutside: {
    method: 'PATCH',
    path: '/appoinments/:id/outside',
    errors: ['not_found', 'slot_taken', 'too_many_appointments', 'transition_refused', 'changed_meanwhile'],
    access: { kind: 'restricted', roles: admin, owners: ownDoctor },
    summary: "Keep, move or cancel an appointment that is outside its doctor's hours",
    decides: { 'params.id': 'record', 'body.seen': 'record', 'body.decision': 'database' },
    shows: { what: 'appointments', whose: '' },
  },
});
