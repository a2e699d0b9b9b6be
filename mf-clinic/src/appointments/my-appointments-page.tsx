import { definePage, Link, useSession } from '@clinic/app-kit';
import { ButtonLink } from '@clinic/ui';
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
  columns.more,
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
      actions={book}
      description={
        <span className="hidden md:inline">
          Move an appointment or add it to your calendar here. To cancel one, go to your{' '}
          <Link className="underline underline-offset-4" to="/dash/doctorAppoinments">
            record
          </Link>
          .
        </span>
      }
      empty={{
        title: 'No appointments yet',
        text: 'Choose a doctor and a time that suits you.',
        icon: 'calendar',
        action: book,
      }}
    />
  );
}

export default definePage({ Component: MyAppointmentsPage });
