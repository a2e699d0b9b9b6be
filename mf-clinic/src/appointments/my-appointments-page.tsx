import { definePage, useSession } from '@clinic/app-kit';
import { withSlots } from '@clinic/app-kit/slots';
import { SubscriptionButton } from '../calendar-feeds/subscription-button.tsx';
import { OwnDay } from '../attendance/own-day.tsx';
import { OpenQuestions } from '../questions/open-questions.tsx';
import { AppointmentList } from './appointment-list.tsx';
import { columns, primary } from './appointment-columns.tsx';
import { bookLink, waitlistLink } from './links.tsx';
import '../setup.ts';

const ofPatients = [
  primary(columns.doctor),
  columns.when,
  columns.forWhom,
  columns.contactOnCard,
  columns.statusRead,
  columns.statusOnCard,
  columns.own,
];

/** A doctor's list is of those booked with them, too: their own name on every row would tell none apart. */
const ofDoctors = [
  primary(columns.patient),
  columns.when,
  columns.age,
  columns.contactOnCard,
  columns.statusRead,
  columns.statusOnCard,
  columns.own,
];

/** All My Appoinments (`/dash/patient`): the signed-in person's. */
export function MyAppointmentsPage() {
  const { user, role } = useSession();
  return (
    <AppointmentList
      title="All My Appoinments"
      of={{ email: user?.email ?? '' }}
      columns={role === 'doctor' ? ofDoctors : ofPatients}
      actions={
        <>
          {waitlistLink}
          {bookLink}
          <SubscriptionButton />
        </>
      }
      above={
        <>
          <OwnDay />
          <OpenQuestions />
        </>
      }
      sections="plain"
      empty={{
        title: 'No coming appointments',
        text: 'Choose a doctor and a time that suits you.',
        icon: 'calendar',
        action: bookLink,
      }}
    />
  );
}

export default definePage(withSlots(MyAppointmentsPage));
