import { formatDate, formatTime, useCall } from '@clinic/app-kit';
import { useLiveLists } from '@clinic/app-kit/records';
import { Alert, Card } from '@clinic/ui';
import { AppointmentActions } from '../appointments/appointment-columns.tsx';
import { appointmentLists } from '../appointments/appointment-lists.ts';
import { MovedFrom } from '../appointments/moved-from.tsx';
import { StatusOfAppointment } from '../appointments/status-of-appointment.tsx';
import { ReachPatient } from '../today/reach-patient.tsx';

/** Appointments on days off or outside the listed times: still booked until the doctor moves or cancels them. */
export function OutsideTimes({ doctorId }: { readonly doctorId: string }) {
  const answer = useCall('listAppointmentsOutsideTimes', { params: { id: doctorId } });
  useLiveLists('watchAppointments', appointmentLists);
  if (answer.isError && !answer.data)
    return (
      <Alert kind="error" title="Error loading appointments">
        {answer.error.message}
      </Alert>
    );
  if (!answer.data?.length) return null;
  return (
    <Card as="section" aria-labelledby="outside-times" className="grid gap-4">
      <div>
        <h2 id="outside-times" className="text-heading font-bold">
          Booked outside your times ({answer.data.length})
        </h2>
        <p className="text-sm text-muted">These stay booked. Move or cancel any you can’t keep.</p>
      </div>
      <ul aria-label="Booked outside your times" className="divide-y divide-line">
        {answer.data.map((appointment) => (
          <li key={appointment._id} className="grid gap-x-6 gap-y-2 py-3 md:grid-cols-[11rem_1fr_auto] md:items-center">
            <p className="font-semibold tabular-nums">
              {formatDate(appointment.date)} <span className="block">{formatTime(appointment.time)}</span>
            </p>
            <div className="min-w-0">
              <p className="font-semibold wrap-anywhere">{appointment.patientname}</p>
              <MovedFrom appointment={appointment} />
              <ReachPatient appointment={appointment} />
            </div>
            <div className="flex flex-wrap items-center justify-between gap-2">
              <StatusOfAppointment appointment={appointment} />
              <AppointmentActions appointment={appointment} />
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
