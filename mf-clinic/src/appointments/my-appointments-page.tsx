import { definePage, useSession } from '@clinic/app-kit';
import { withSlots } from '@clinic/app-kit/slots';
import { SubscriptionButton } from '../calendar-feeds/subscription-button.tsx';
import { OwnDay } from '../attendance/own-day.tsx';
import { AppointmentList } from './appointment-list.tsx';
import { columns, primary } from './appointment-columns.tsx';
import { bookLink, waitlistLink } from './links.tsx';
import '../setup.ts';

const shown = [
  primary(columns.doctor),
  columns.when,
  columns.forWhom,
  columns.contactOnCard,
  columns.statusRead,
  columns.statusOnCard,
  columns.own,
];

/** All My Appoinments (`/dash/patient`): the signed-in patient's. */
export function MyAppointmentsPage() {
  const { user } = useSession();
  return (
    <AppointmentList
      title="All My Appoinments"
      of={{ email: user?.email ?? '' }}
      columns={shown}
      actions={
        <>
          {waitlistLink}
          {bookLink}
          <SubscriptionButton />
        </>
      }
      above={<OwnDay />}
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
