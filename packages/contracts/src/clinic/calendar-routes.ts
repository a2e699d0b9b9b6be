import type { Route } from '../route.ts';

/** The call behind the staff's week and day calendar. */
export const calendarRoutes = {
  getClinicCalendar: {
    service: 'clinic',
    method: 'GET',
    path: '/doctors/calendar',
    status: 200,
    errors: ['not_found'],
    access: { kind: 'restricted', roles: ['admin'], owners: [{ as: 'doctor', role: 'doctor' }] },
    summary: "Get a doctor's appointments, hours and free times of up to 7 days, or (admins) all doctors' of one day",
  },
} as const satisfies Record<string, Route>;
