import { definePage, Link, useSession } from '@clinic/app-kit';
import { withSlots } from '@clinic/app-kit/slots';
import { ButtonLink } from '@clinic/ui';
import { actionsColumn } from '@clinic/ui/list-parts';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { AppointmentList } from './appointment-list.tsx';
import { AppointmentActions, columns, primary } from './appointment-columns.tsx';
import { ConfirmAppointment } from './status-of-appointment.tsx';
import '../setup.ts';

const confirm = actionsColumn<Appointment>((one) => (
  <span className="flex flex-wrap items-center gap-1 md:justify-end">
    <ConfirmAppointment appointment={one} />
    <AppointmentActions appointment={one} />
  </span>
));
const shown = [primary(columns.patient), columns.when, columns.age, columns.contact, columns.status, confirm];

/** CurrentAppoinments (`/dash/appointmentRecord`): appointments waiting for the signed-in doctor's confirmation. */
export function CurrentAppointmentsPage() {
  const { user } = useSession();
  return (
    <AppointmentList
      title="CurrentAppoinments"
      description="Coming appointments that you haven’t confirmed yet."
      of={{ waitingFor: user?.email ?? '' }}
      columns={shown}
      empty={{
        title: 'No appointments to confirm',
        text: 'New bookings appear here until you confirm or cancel them.',
        icon: 'check-circle',
        action: (
          <ButtonLink component={Link} to="/dash/doctorAppoinments" variant="soft">
            See all your appointments
          </ButtonLink>
        ),
      }}
    />
  );
}

export default definePage(withSlots(CurrentAppointmentsPage));
