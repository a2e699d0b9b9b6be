import { pages, redirects } from '@clinic/contracts/pages';
import { defineRemote } from '@clinic/webpack-config/remote';

/** What this remote publishes about itself (`remote.json`), for the shell and its menus. */
export default defineRemote({
  name: 'mf-clinic',
  title: 'Appointments',
  pages: pages['mf-clinic'],
  screens: {
    '/appoinment/:_id': './src/booking/booking-page.tsx',
    '/dash/appoinments': './src/appointments/all-appointments-page.tsx',
    '/dash/calendar': './src/week-calendar/calendar-page.tsx',
    '/dash/doctorAppoinments': './src/appointments/record-page.tsx',
    '/dash/appointmentRecord': './src/appointments/current-appointments-page.tsx',
    '/dash/dProfile': './src/profile/my-profile-page.tsx',
    '/dash/schedules': './src/schedule/schedules-page.tsx',
    '/dash/waitlist': './src/waitlist/waitlist-page.tsx',
    '/dash/patient': './src/appointments/my-appointments-page.tsx',
  },
  redirects: redirects['mf-clinic'],
  slots: [
    { slot: 'overview', order: 10, module: './src/overview/overview-slot.tsx' },
    { slot: 'every-page', order: 10, module: './src/waitlist/every-page-slot.tsx' },
  ],
});
