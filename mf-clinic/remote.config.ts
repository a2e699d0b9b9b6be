import { defineRemote } from '@clinic/webpack-config/remote';

/** What this remote publishes about itself (`remote.json`), for the shell and its menus. */
export default defineRemote({
  name: 'mf-clinic',
  title: 'Appointments',
  pages: [
    {
      path: '/appoinment/:_id',
      screen: './src/booking/booking-page.tsx',
      layout: 'guarded',
      access: 'signedIn',
      title: 'Book Appointment',
    },
    {
      path: '/dash/appoinments',
      screen: './src/appointments/all-appointments-page.tsx',
      layout: 'dash',
      access: ['admin'],
      title: 'Appointments',
      // The hero's Book Appointment link leads here: whoever books for themselves wants to choose a doctor.
      insteadFor: { patient: '/ourDoctors', doctor: '/ourDoctors', pharmacist: '/ourDoctors' },
      menu: [{ label: 'Appointments', roles: ['admin'], order: 15, icon: 'clipboard', group: 'Care' }],
    },
    {
      path: '/dash/calendar',
      screen: './src/week-calendar/calendar-page.tsx',
      layout: 'dash',
      access: ['doctor', 'admin'],
      title: 'Calendar',
      menu: [{ label: 'Calendar', roles: ['doctor', 'admin'], order: 2, icon: 'calendar', group: 'Today' }],
    },
    {
      path: '/dash/reception',
      screen: './src/reception/reception-page.tsx',
      layout: 'dash',
      access: ['admin'],
      title: 'Reception',
      openedFrom: '/dash/appoinments',
    },
    // The screen in the waiting room shows it; whoever has the address may.
    {
      path: '/waiting-screen/:secret',
      screen: './src/waiting-room/screen-page.tsx',
      layout: 'public',
      access: 'everyone',
      title: 'Waiting Room',
    },
    {
      path: '/dash/doctorAppoinments',
      screen: './src/appointments/record-page.tsx',
      layout: 'dash',
      access: 'signedIn',
      title: 'Record',
      openedFrom: { patient: '/dash/patient', admin: '/dash/appoinments' },
      menu: [{ label: 'Records', roles: ['doctor'], order: 10, icon: 'clipboard', group: 'Care' }],
    },
    {
      path: '/dash/appointmentRecord',
      screen: './src/appointments/current-appointments-page.tsx',
      layout: 'dash',
      access: ['doctor'],
      title: 'CurrentAppoinments',
      menu: [{ label: 'Current Appointment', roles: ['doctor'], order: 20, icon: 'check-circle', group: 'Care' }],
    },
    {
      path: '/dash/dProfile',
      screen: './src/profile/my-profile-page.tsx',
      layout: 'dash',
      access: ['doctor'],
      title: 'My Profile',
    },
    {
      path: '/dash/schedules',
      screen: './src/schedule/schedules-page.tsx',
      layout: 'dash',
      access: ['admin'],
      title: 'Hours and Holidays',
      menu: [{ label: 'Hours and Holidays', roles: ['admin'], order: 35, icon: 'clock', group: 'Care' }],
    },
    {
      path: '/dash/waitlist',
      screen: './src/waitlist/waitlist-page.tsx',
      layout: 'dash',
      access: 'signedIn',
      title: 'Waitlist',
      openedFrom: { pharmacist: '/dash/patient' },
      menu: [
        { label: 'Waitlist', roles: ['doctor', 'admin'], order: 6, icon: 'clock', group: 'Today' },
        { label: 'Waitlist', roles: ['patient'], order: 50, icon: 'clock' },
      ],
    },
    {
      path: '/dash/patient',
      screen: './src/appointments/my-appointments-page.tsx',
      layout: 'dash',
      access: 'signedIn',
      title: 'All My Appoinments',
      openedFrom: { doctor: '/dash/doctorAppoinments', admin: '/dash/appoinments' },
      menu: [{ label: 'My Appointments', roles: ['patient'], order: 10, icon: 'calendar' }],
    },
  ],
  redirects: [
    { from: '/appointment/:_id', to: '/appoinment/:_id' },
    { from: '/dash/appointments', to: '/dash/appoinments' },
    { from: '/dash/doctorAppointments', to: '/dash/doctorAppoinments' },
    { from: '/dash/appoinmentRecord', to: '/dash/appointmentRecord' },
  ],
  slots: [
    { slot: 'overview', order: 10, module: './src/overview/overview-slot.tsx' },
    { slot: 'every-page', order: 10, module: './src/waitlist/every-page-slot.tsx' },
  ],
});
