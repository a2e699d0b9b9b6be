import { defineRoutes } from '@clinic/contracts/define-routes';

const admin = ['admin'] as const;
const appointments = { what: 'appointments', whose: 'patientemail' } as const;
const ownDoctor = { as: 'doctor', role: 'doctor' } as const;

/** The calls about several appointments that belong together. */
export const seriesRoutes = defineRoutes('clinic', {
  previewSeries: {
    method: 'POST',
    path: '/appoinments/series/preview',
    errors: ['not_found'],
    access: { kind: 'restricted', roles: admin, owners: [ownDoctor] },
    summary: 'List the dates of a series with their conflicts and the nearest free times, without booking it',
    decides: { 'body.from': 'record', 'body.booking': 'database', 'body.first': 'database', 'body.every': 'content' },
  },
  bookSeries: {
    method: 'POST',
    path: '/appoinments/series',
    status: 201,
    errors: ['not_found', 'slot_taken', 'idempotency_mismatch', 'in_progress'],
    idempotent: true,
    access: { kind: 'restricted', roles: admin, owners: [ownDoctor] },
    summary: 'Book all dates of a series or none; the patient is that of an appointment, or for admins anybody',
    decides: {
      'body.from': 'record',
      'body.booking': 'database',
      'body.dates': 'database',
      'body.alsoThen': 'content',
    },
    shows: appointments,
  },
  changeSeries: {
    method: 'PATCH',
    path: '/appoinments/:id/series',
    errors: [
      'not_found',
      'slot_taken',
      'too_many_appointments',
      'transition_refused',
      'too_late',
      'changed_meanwhile',
      'rate_limited',
    ],
    access: { kind: 'restricted', roles: admin, owners: [{ as: 'patient' }, ownDoctor] },
    summary: 'Move (doctor, admins) or cancel an appointment of a series and all that follow, or none of them',
    decides: { 'params.id': 'record', 'body.seen': 'record', 'body.change': 'database' },
    shows: appointments,
  },
  undoMoves: {
    method: 'PATCH',
    path: '/appoinments/undone',
    errors: ['not_found', 'slot_taken', 'too_many_appointments', 'transition_refused', 'changed_meanwhile'],
    access: { kind: 'restricted', roles: admin, owners: [ownDoctor] },
    summary: 'Take back moves that the caller has just made, with the promised length and place; all of them or none',
    decides: { 'body.moves': 'record' },
    shows: appointments,
  },
});
