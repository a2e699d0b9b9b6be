import { defineRoutes } from '@clinic/contracts/define-routes';

/** The calls behind the staff's week and day calendar. */
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
  findPatients: {
    method: 'GET',
    path: '/appoinments/patients',
    access: { kind: 'restricted', roles: ['admin'], self: { in: 'query', field: 'email', role: 'doctor' } },
    summary: 'Find the patients of earlier appointments, or with email those of this doctor, to book for one of them',
    decides: { 'query.email': 'session', 'query.q': 'filter' },
    shows: { what: 'appointments', whose: 'patientemail', ownWork: true, narrowedBy: ['email', 'q'] },
  },
});
