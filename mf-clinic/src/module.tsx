import { defineRemoteModule } from '@clinic/app-kit';
import './styles.css';

export default defineRemoteModule({
  createRoutes: () => [
    { path: '/appoinment/:_id', lazy: async () => ({ Component: (await import('./booking/booking-page.tsx')).BookingPage }) },
    { path: '/dash/appoinments', lazy: async () => ({ Component: (await import('./appointments/all-appointments-page.tsx')).AllAppointmentsPage }) },
    { path: '/dash/doctorAppoinments', lazy: async () => ({ Component: (await import('./appointments/record-page.tsx')).RecordPage }) },
    { path: '/dash/appointmentRecord', lazy: async () => ({ Component: (await import('./appointments/current-appointments-page.tsx')).CurrentAppointmentsPage }) },
    { path: '/dash/dProfile', lazy: async () => ({ Component: (await import('./profile/my-profile-page.tsx')).MyProfilePage }) },
    { path: '/dash/patient', lazy: async () => ({ Component: (await import('./appointments/my-appointments-page.tsx')).MyAppointmentsPage }) },
  ],
});
