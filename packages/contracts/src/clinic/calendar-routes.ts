import { defineRoutes } from '../define-routes.ts';

/** The call behind the staff's week and day calendar. */
export const calendarRoutes = defineRoutes('clinic', {
  getClinicCalendar: {
    method: 'GET',
    path: '/doctors/calendar',
    errors: ['not_found'],
    access: { kind: 'restricted', roles: ['admin'], owners: [{ as: 'doctor', role: 'doctor' }] },
    summary: "Get a doctor's appointments, hours and free times of up to 7 days, or (admins) all doctors' of one day",
  },
});
