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
      menu: [{ label: 'Appointments', roles: ['admin'], order: 40, icon: 'calendar' }],
    },
    // Opened from the lists of appointments; the menus are fixed.
    {
      path: '/dash/calendar',
      screen: './src/week-calendar/calendar-page.tsx',
      layout: 'dash',
      access: ['doctor', 'admin'],
      title: 'Calendar',
      openedFrom: { doctor: '/dash/doctorAppoinments', admin: '/dash/appoinments' },
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
      menu: [{ label: 'Records', roles: ['doctor'], order: 10, icon: 'clipboard' }],
    },
    {
      path: '/dash/appointmentRecord',
      screen: './src/appointments/current-appointments-page.tsx',
      layout: 'dash',
      access: ['doctor'],
      title: 'CurrentAppoinments',
      menu: [{ label: 'Current Appointment', roles: ['doctor'], order: 20, icon: 'clock' }],
    },
    {
      path: '/dash/dProfile',
      screen: './src/profile/my-profile-page.tsx',
      layout: 'dash',
      access: ['doctor'],
      title: 'My Profile',
    },
    // Opened from the list of doctors; the menus are fixed.
    {
      path: '/dash/schedules',
      screen: './src/schedule/schedules-page.tsx',
      layout: 'dash',
      access: ['admin'],
      title: 'Hours and Holidays',
      openedFrom: '/dash/doctors',
    },
    // Opened from the lists of appointments and from offers.
    {
      path: '/dash/waitlist',
      screen: './src/waitlist/waitlist-page.tsx',
      layout: 'dash',
      access: 'signedIn',
      title: 'Waitlist',
      openedFrom: {
        patient: '/dash/patient',
        pharmacist: '/dash/patient',
        doctor: '/dash/doctorAppoinments',
        admin: '/dash/appoinments',
      },
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
