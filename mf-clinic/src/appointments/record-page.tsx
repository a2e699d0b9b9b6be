import { definePage, Link, useSession } from '@clinic/app-kit';
import { withSlots } from '@clinic/app-kit/slots';
import { ButtonLink } from '@clinic/ui';
import { TodaysAppointments } from '../today/todays-appointments.tsx';
import { SubscriptionButton } from '../calendar-feeds/subscription-button.tsx';
import { AppointmentList } from './appointment-list.tsx';
import { columns, primary } from './appointment-columns.tsx';
import { BookedPanel } from './booked-panel.tsx';
import { bookLink, calendarLink, waitlistLink } from './links.tsx';
import '../setup.ts';

const forDoctors = [primary(columns.patient), columns.when, columns.age, columns.contact, columns.status, columns.more];
const forPatients = [
  primary(columns.doctor),
  columns.when,
  columns.forWhom,
  columns.contactOnCard,
  columns.status,
  columns.own,
];

/**
 * Record (`/dash/doctorAppoinments`): the signed-in person's own appointments, as doctor or as patient; a booking redirects
 * here.
 */
export function RecordPage() {
  const { user, role } = useSession();
  const doctor = role === 'doctor';
  const wayOn = doctor ? (
    <>
      {calendarLink}
      <ButtonLink component={Link} to="/dash/appointmentRecord" variant="secondary" icon="clock">
        To confirm
      </ButtonLink>
    </>
  ) : (
    bookLink
  );
  return (
    <AppointmentList
      title="Record"
      description={
        doctor ? 'All your past and upcoming appointments.' : 'All past and upcoming appointments in your name.'
      }
      of={{ email: user?.email ?? '' }}
      columns={doctor ? forDoctors : forPatients}
      actions={
        <>
          {doctor && waitlistLink}
          {wayOn}
          <SubscriptionButton />
        </>
      }
      sections={doctor ? 'by day' : 'plain'}
      above={
        <>
          <BookedPanel />
          {doctor && user && <TodaysAppointments doctorEmail={user.email} />}
        </>
      }
      empty={
        doctor
          ? {
              title: 'No coming appointments',
              text: 'Patients who book with you appear here.',
              icon: 'calendar',
              action: (
                <ButtonLink component={Link} to="/dash/dProfile" variant="soft">
                  See your profile
                </ButtonLink>
              ),
            }
          : {
              title: 'No coming appointments',
              text: 'Choose a doctor and a time that suits you.',
              icon: 'calendar',
              action: bookLink,
            }
      }
    />
  );
}

export default definePage(withSlots(RecordPage));
