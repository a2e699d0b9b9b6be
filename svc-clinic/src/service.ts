import { defineService, keepRollupsInBackground, listEvents, type Handler } from '@clinic/service-kit';
import { joinAppointments } from './accounts/join-appointments.ts';
import { appointmentHandlers } from './appointments/appointment-handlers.ts';
import { seedClinic } from './demo/seed-clinic.ts';
import { doctorHandlers } from './doctors/doctor-handlers.ts';
import { indexes } from './indexes.ts';
import { personalDataHandlers } from './personal-data/personal-data-handlers.ts';
import { profileHandlers } from './profiles/profile-handlers.ts';
import { appointmentRollupPlan } from './reports/appointment-rollups.ts';
import { reportAppointments } from './reports/report-appointments.ts';
import { schemaChanges } from './schema-changes.ts';
import { clinicSettings, type ClinicContext } from './settings.ts';
import { staffSyncOf } from './staff/staff-sync.ts';

const listClinicEvents =
  (context: ClinicContext): Handler<'listClinicEvents'> =>
  ({ query }) =>
    listEvents(context, query);

/** The service for doctors, pharmacists and appointments. */
export const clinicService = defineService({
  name: 'clinic',
  settings: clinicSettings,
  indexes,
  schemaChanges,
  joinRecords: joinAppointments,
  onStaff: (context) => (staff) => staffSyncOf(context).follow(staff),
  handlers: (context) => ({
    ...doctorHandlers(context),
    ...profileHandlers(context),
    ...appointmentHandlers(context),
    ...personalDataHandlers(context),
    listClinicEvents: listClinicEvents(context),
    reportAppointments: reportAppointments(context),
  }),
  onStart: async (context) => {
    await seedClinic(context);
    keepRollupsInBackground(context, appointmentRollupPlan(context));
  },
});
