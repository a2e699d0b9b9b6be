import { formatDate, formatTime, useCall } from '@clinic/app-kit';
import { useOpened } from '@clinic/app-kit/opened';
import { useLiveLists } from '@clinic/app-kit/records';
import type { CallResponse } from '@clinic/contracts';
import type { OutsideAppointment } from '@clinic/svc-clinic/contract/schedule-schemas';
import { Alert, Button, Card } from '@clinic/ui';
import { AppointmentActions } from '../appointments/appointment-columns.tsx';
import { appointmentLists } from '@clinic/svc-clinic/contract/lists';
import { MovedFrom } from '../appointments/moved-from.tsx';
import { StatusOfAppointment } from '../appointments/status-of-appointment.tsx';
import { misfitInWords } from '../schedule/outside-words.ts';
import { OutsideDecision } from '../schedule/outside-decision.tsx';
import { SettleAll } from '../schedule/settle-all.tsx';
import { ReachPatient } from '../today/reach-patient.tsx';

/** Appointments on days off or outside a doctor's hours: still booked until staff keep, move or cancel them. */
export function OutsideTimes({ doctorId }: { readonly doctorId: string }) {
  const answer = useCall('listAppointmentsOutsideTimes', { params: { id: doctorId } });
  useLiveLists('watchAppointments', appointmentLists);
  const [deciding, decide] = useOpened(answer.data ?? none, ({ _id }) => _id);
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
          Booked outside these hours ({answer.data.length})
        </h2>
        <p className="text-sm text-muted">
          These stay booked as promised. Keep, move or cancel each. Patients get a message about a move or a
          cancellation, and none if you keep the appointment.
        </p>
        <SettleAll appointments={answer.data.map(withPromise)} />
      </div>
      <ul aria-label="Booked outside these hours" className="divide-y divide-line">
        {answer.data.map((appointment) => (
          <li key={appointment._id} className="grid gap-x-6 gap-y-2 py-3 md:grid-cols-[11rem_1fr_auto] md:items-center">
            <p className="font-semibold tabular-nums">
              {formatDate(appointment.date)} <span className="block">{formatTime(appointment.time)}</span>
            </p>
            <div className="min-w-0">
              <p className="font-semibold wrap-anywhere">{appointment.patientname}</p>
              {appointment.why && <p className="text-sm">{misfitInWords(withPromise(appointment))}</p>}
              <MovedFrom appointment={appointment} />
              <ReachPatient appointment={appointment} />
            </div>
            <div className="flex flex-wrap items-center justify-between gap-2">
              <StatusOfAppointment appointment={appointment} />
              <Button
                variant="secondary"
                size="sm"
                aria-label={`Decide about ${appointment.patientname}, ${formatDate(appointment.date)}`}
                onClick={() => decide(appointment)}
              >
                Decide
              </Button>
              <AppointmentActions appointment={appointment} />
            </div>
          </li>
        ))}
      </ul>
      {deciding && <OutsideDecision appointment={withPromise(deciding)} onClose={() => decide()} />}
    </Card>
  );
}

type Outside = CallResponse<'listAppointmentsOutsideTimes'>[number];
const none: readonly Outside[] = [];

const withPromise = ({ minutes, place = '', ...appointment }: Outside): OutsideAppointment => ({
  ...appointment,
  ...(minutes !== undefined && { promised: { minutes, place } }),
});
