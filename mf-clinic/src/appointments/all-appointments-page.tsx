import { definePage, Link } from '@clinic/app-kit';
import { withSlots } from '@clinic/app-kit/slots';
import { ButtonLink } from '@clinic/ui';
import { AppointmentList } from './appointment-list.tsx';
import { columns, primary } from './appointment-columns.tsx';
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
  const chooseDoctor = (
    <ButtonLink component={Link} to="/ourDoctors" icon="plus">
      Book an appointment
    </ButtonLink>
  );
  return (
    <AppointmentList
      title="Appointments"
      description="Everyone’s appointments, with all doctors."
      of={{ everyone: true }}
      columns={shown}
      actions={
        <>
          <ButtonLink component={Link} to="/dash/waitlist" variant="soft" icon="clock">
            Waitlist
          </ButtonLink>
          <ButtonLink component={Link} to="/dash/calendar" variant="secondary" icon="calendar">
            Calendar
          </ButtonLink>
          {chooseDoctor}
        </>
      }
      empty={{
        title: 'No appointments yet',
        text: 'Appointments appear here when someone books one.',
        icon: 'calendar',
        action: chooseDoctor,
      }}
    />
  );
}

export default definePage(withSlots(AllAppointmentsPage));
