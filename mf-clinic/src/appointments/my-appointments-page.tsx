import { definePage, Link, useSession } from '@clinic/app-kit';
import { withSlots } from '@clinic/app-kit/slots';
import { ButtonLink } from '@clinic/ui';
import { SubscriptionButton } from '../feeds/subscription-button.tsx';
import { AppointmentList } from './appointment-list.tsx';
import { columns, primary } from './appointment-columns.tsx';
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
  const book = (
    <ButtonLink component={Link} to="/ourDoctors" icon="plus">
      Book an appointment
    </ButtonLink>
  );
  return (
    <AppointmentList
      title="All My Appoinments"
      of={{ email: user?.email ?? '' }}
      columns={shown}
      actions={
        <>
          <ButtonLink component={Link} to="/dash/waitlist" variant="soft" icon="clock">
            Waitlist
          </ButtonLink>
          {book}
          <SubscriptionButton />
        </>
      }
      sections
      empty={{
        title: 'No coming appointments',
        text: 'Choose a doctor and a time that suits you.',
        icon: 'calendar',
        action: book,
      }}
    />
  );
}

export default definePage(withSlots(MyAppointmentsPage));
