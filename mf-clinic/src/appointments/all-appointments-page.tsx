import { definePage } from '@clinic/app-kit';
import { withSlots } from '@clinic/app-kit/slots';
import { AppointmentList } from './appointment-list.tsx';
import { columns, primary } from './appointment-columns.tsx';
import { useStartOfBookings } from '../booking/staff-booking.ts';
import { BookedPanel } from './booked-panel.tsx';
import { bookLink, calendarLink, receptionLink, waitlistLink } from './links.tsx';
import '../setup.ts';

const shown = [
  primary(columns.patient),
  columns.doctor,
  columns.when,
  columns.age,
  columns.contact,
  columns.status,
  columns.more,
];

/** Appointments (`/dash/appoinments`): everybody's, for admins. */
export function AllAppointmentsPage() {
  useStartOfBookings();
  return (
    <AppointmentList
      title="Appointments"
      description="Everyone’s appointments, with all doctors."
      of={{ everyone: true }}
      columns={shown}
      several
      actions={
        <>
          {waitlistLink}
          {receptionLink}
          {calendarLink}
          {bookLink}
        </>
      }
      above={<BookedPanel />}
      empty={{
        title: 'No appointments yet',
        text: 'Appointments appear here when someone books one.',
        icon: 'calendar',
        action: bookLink,
      }}
    />
  );
}

export default definePage(withSlots(AllAppointmentsPage));
