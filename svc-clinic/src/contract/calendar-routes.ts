import { defineRoutes } from '@clinic/contracts/define-routes';

/** The call behind the staff's week and day calendar. */
export const calendarRoutes = defineRoutes('clinic', {
  getClinicCalendar: {
    method: 'GET',
    path: '/doctors/calendar',
    errors: ['not_found'],
    access: { kind: 'restricted', roles: ['admin'], owners: [{ as: 'doctor', role: 'doctor' }] },
    summary: "Get a doctor's appointments, hours and free times of up to 7 days, or (admins) all doctors' of one day",
    decides: { 'query.doctor': 'record', 'query.from': 'filter', 'query.until': 'filter', 'query.after': 'filter' },
    shows: { what: 'appointments', whose: 'appointments.patientemail', ownWork: true },
  },
});
