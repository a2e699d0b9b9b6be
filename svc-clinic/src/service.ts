import {
  countIndexes,
  defineService,
  keepDerivedFields,
  keepRollupsInBackground,
  listEvents,
} from '@clinic/service-kit';
import { followAccount } from './accounts/follow-account.ts';
import { joinAppointments } from './accounts/join-appointments.ts';
import { attendanceHandlers } from './attendance/attendance-handlers.ts';
import { arrivalRetention } from './attendance/retention.ts';
import { waitingScreenHandlers } from './attendance/waiting-screen.ts';
import { appointmentHandlers } from './appointments/appointment-handlers.ts';
import { keptPromises } from './appointments/keep-promises.ts';
import { clinicCalls } from './contract/calls.ts';
import { calendarHandlers } from './calendar/calendar-handlers.ts';
import { doctorHandlers } from './doctors/doctor-handlers.ts';
import { calendarFeedHandlers } from './calendar-feeds/calendar-feed-handlers.ts';
import { indexes } from './indexes.ts';
import { addVisitRoutes } from './messages/visit-routes.ts';
import { erasePerson } from './personal-data/erase-person.ts';
import { personalDataHandlers } from './personal-data/personal-data-handlers.ts';
import { profileHandlers } from './profiles/profile-handlers.ts';
import { appointmentRollupPlan } from './reports/appointment-rollups.ts';
import { questionHandlers } from './questions/question-handlers.ts';
import { reportAppointments } from './reports/report-appointments.ts';
import { scheduleHandlers } from './schedule/schedule-handlers.ts';
import { schemaChanges } from './schema-changes.ts';
import { checkSchedulingLinks, schedulingLinkHandlers } from './scheduling-links/scheduling-link-handlers.ts';
import { searchFields } from './search-keys.ts';
import { seriesHandlers } from './series/series-handlers.ts';
import { clinicSettings } from './settings.ts';
import { StaffSync } from './staff/staff-sync.ts';
import { waitlistRetention } from './waitlist/retention.ts';
import { keepSweeping } from './waitlist/sweep.ts';
import { waitlistHandlers } from './waitlist/waitlist-handlers.ts';

/** The service for doctors, pharmacists and appointments. */
export const clinicService = defineService({
  name: 'clinic',
  calls: clinicCalls,
  settings: clinicSettings,
  checkSettings: checkSchedulingLinks,
  indexes: { ...indexes, ...countIndexes },
  outbox: true,
  schemaChanges,
  joinRecords: joinAppointments,
  onAccount: followAccount,
  erase: (context) => (deletion, until) => erasePerson(context, deletion, until),
  onStart: async (context) => {
    if (context.settings.DEMO_MODE) await (await import('./demo/seed-clinic.ts')).seedClinic(context);
    keepRollupsInBackground(context, appointmentRollupPlan(context));
    keepDerivedFields(context, [...searchFields(context.settings.CLINIC_COUNTRY), keptPromises(context.settings)]);
    keepSweeping(context);
    return { staffSync: new StaffSync(context) };
  },
  onStaff:
    (_context, { staffSync }) =>
    (staff, isLatest) =>
      staffSync.follow(staff, isLatest),
  internalRoutes: addVisitRoutes,
  handlers: (context, { staffSync }) => ({
    ...doctorHandlers(context),
    ...profileHandlers(context, staffSync),
    ...appointmentHandlers(context),
    ...scheduleHandlers(context),
    ...waitlistHandlers(context),
    ...calendarHandlers(context),
    ...attendanceHandlers(context),
    ...waitingScreenHandlers(context),
    ...questionHandlers(context),
    ...seriesHandlers(context),
    ...calendarFeedHandlers(context),
    ...schedulingLinkHandlers(context),
    ...personalDataHandlers(context),
    listClinicEvents: ({ query }) => listEvents(context, query),
    reportAppointments: reportAppointments(context),
  }),
  retention: (context) => [...waitlistRetention(context), ...arrivalRetention(context)],
});
