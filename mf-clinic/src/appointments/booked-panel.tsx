import { formatDate, formatTime, useCall, useLocation } from '@clinic/app-kit';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { brand, Card, Icon, StatusBadge, type IconName } from '@clinic/ui';
import type { ReactNode } from 'react';
import { CalendarButton } from '../calendar/calendar-button.tsx';
import { CancelButton, RescheduleButton } from '../dialogs/dialog-buttons.tsx';
import { QuestionsOfNewVisit } from '../questions/open-questions.tsx';
import { PartsOfOthers } from './appointment-columns.tsx';
import { knownEmail, shownAge } from './known-details.ts';
import { useActors } from './may-change.ts';

/** Appointments read to find the booked one again after a move; people have at most ten ahead unless an admin books more. */
const coming = 50;

/** The appointment that has just been booked, with what to know about it; nothing on any other visit to the page. */
export function BookedPanel() {
  const { state } = useLocation();
  const booked = bookedIn(state);
  return booked && <Booked booked={booked} />;
}

function Booked({ booked }: { readonly booked: Appointment }) {
  const list = useCall('listAppointments', {
    query: { email: booked.patientemail, open: 'true', when: 'coming', sort: 'date', limit: coming },
  });
  const doctors = useCall('listDoctors', { query: { email: booked.doctoremail, limit: 1 } });
  const doctor = Array.isArray(doctors.data) ? doctors.data[0] : doctors.data;
  const found = list.data?.find(({ _id }) => _id === booked._id);
  // Cancelled here or elsewhere: the list below says so.
  if (list.data && list.data.length < coming && !found && !list.isFetching) return null;
  const appointment = found ?? booked;
  return <Shown appointment={appointment} specialty={doctor?.specialty} usualPlace={doctor?.location} />;
}

interface ShownProps {
  readonly appointment: Appointment;
  readonly specialty: string | undefined;
  /** The doctor's; a service of an earlier release doesn't say where the visit is. */
  readonly usualPlace: string | undefined;
}

function Shown({ appointment, specialty, usualPlace }: ShownProps) {
  // Staff who booked for somebody read whose visit it is; what a patient should bring isn't for them.
  const own = useActors(appointment).includes('patient');
  const place = appointment.place ?? usualPlace;
  return (
    <Card as="section" aria-labelledby="booked" className="mb-6 border-primary!">
      <div className="flex flex-wrap items-center gap-3">
        <span className="grid size-11 flex-none place-items-center rounded-full bg-tint text-primary">
          <Icon name="check" />
        </span>
        <h2 id="booked" className="min-w-0 text-heading font-semibold wrap-anywhere">
          {own ? 'Your new appointment' : `Booked for ${appointment.patientname}`}
        </h2>
        <StatusBadge status={appointment.status} />
      </div>
      <ul className="mt-5 grid gap-x-8 gap-y-4 md:grid-cols-2">
        <Detail icon="clock" name="When">
          <strong>
            {formatDate(appointment.date)} at {formatTime(appointment.time)}
          </strong>
        </Detail>
        <Detail icon="stethoscope" name="Doctor">
          <strong>{appointment.doctorname}</strong>
          {specialty && `, ${specialty}`}
        </Detail>
        <Detail icon="pin" name="Where">
          {place && <span className="block">{place}</span>}
          {brand.brandName}, {brand.address}
        </Detail>
        {own ? (
          <Detail icon="clipboard" name="What to bring">
            Your ID, a list of the medicines you take, and letters or test results about this.
          </Detail>
        ) : (
          <Detail icon="user" name="Patient">
            <strong>{appointment.patientname}</strong>, age {shownAge(appointment)}
            <span className="block">{knownEmail(appointment)}</span>
          </Detail>
        )}
      </ul>
      {own && <QuestionsOfNewVisit id={appointment._id} />}
      <p className="mt-4 text-sm text-muted">
        {appointment.status === 'Pending' && `${appointment.doctorname} still has to confirm it. `}
        {own && `You can move or cancel it here until shortly before, or call ${brand.phone}.`}
      </p>
      <div className="-mx-2 mt-2 flex flex-wrap gap-1">
        <CalendarButton appointment={appointment} />
        <RescheduleButton appointment={appointment} />
        <CancelButton appointment={appointment} />
        <PartsOfOthers appointment={appointment} own={own} />
      </div>
    </Card>
  );
}

function Detail({
  icon,
  name,
  children,
}: {
  readonly icon: IconName;
  readonly name: string;
  readonly children: ReactNode;
}) {
  return (
    <li className="flex items-start gap-3">
      <Icon name={icon} size={18} className="mt-1 flex-none text-primary" />
      <span className="min-w-0 wrap-anywhere">
        <span className="block text-sm text-muted">{name}</span>
        {children}
      </span>
    </li>
  );
}

/** @param state - of the location; it may be anything, since history entries outlive the page that wrote them */
function bookedIn(state: unknown): Appointment | undefined {
  if (typeof state !== 'object' || state === null || !('booked' in state)) return undefined;
  const { booked } = state;
  const looksRight =
    typeof booked === 'object' && booked !== null && '_id' in booked && 'doctoremail' in booked && 'date' in booked;
  return looksRight ? (booked as Appointment) : undefined;
}
