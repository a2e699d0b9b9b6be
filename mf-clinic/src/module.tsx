import { defineRemoteModule, lazyScreen } from '@clinic/app-kit';
import './styles.css';

export default defineRemoteModule({
  createRoutes: () => [
    { path: '/appoinment/:_id', ...lazyScreen(async () => (await import('./booking/booking-page.tsx')).BookingPage) },
    {
      path: '/dash/appoinments',
      ...lazyScreen(async () => (await import('./appointments/all-appointments-page.tsx')).AllAppointmentsPage),
    },
    {
      path: '/dash/doctorAppoinments',
      ...lazyScreen(async () => (await import('./appointments/record-page.tsx')).RecordPage),
    },
    {
      path: '/dash/appointmentRecord',
      ...lazyScreen(async () => (await import('./appointments/current-appointments-page.tsx')).CurrentAppointmentsPage),
    },
    {
      path: '/dash/dProfile',
      ...lazyScreen(async () => (await import('./profile/my-profile-page.tsx')).MyProfilePage),
    },
    {
      path: '/dash/patient',
      ...lazyScreen(async () => (await import('./appointments/my-appointments-page.tsx')).MyAppointmentsPage),
    },
  ],
});
