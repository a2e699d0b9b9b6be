import { formatDate, formatTime, useCall } from '@clinic/app-kit';
import { useClinicNow } from '@clinic/app-kit/clinic-today';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { Card, Icon } from '@clinic/ui';
import { Loading } from '@clinic/ui/loading';
import { AppointmentActions } from '../appointments/appointment-columns.tsx';
import { actorsFor } from '../appointments/may-change.ts';
import { shownAge } from '../appointments/known-details.ts';
import { MovedFrom } from '../appointments/moved-from.tsx';
import { StatusOfAppointment } from '../appointments/status-of-appointment.tsx';
import { orderOfDay } from './order-of-day.ts';
import { LoadError } from '../load-error.tsx';
import { ReachPatient } from './reach-patient.tsx';

/** No day has more slots than this. */
const mostOfDay = 100;

/**
 * The doctor's day: the next patient first, with contact details.
 *
 * @param doctorEmail - of the signed-in doctor's account; their profile may have another
 */
export function TodaysAppointments({ doctorEmail }: { readonly doctorEmail: string }) {
  const { date, time } = useClinicNow();
  const answer = useCall('listAppointments', {
    query: { email: doctorEmail, from: date, until: date, sort: 'date', limit: mostOfDay },
  });
  // A doctor may be somebody's patient too; that isn't part of their working day.
  const { next, later, earlier } = orderOfDay(
    answer.data?.filter((one) => actorsFor(one, { user: { email: doctorEmail }, role: 'doctor' }).includes('doctor')) ??
      [],
    time,
  );
  const left = later.length + (next ? 1 : 0);
  return (
    <section aria-labelledby="today" className="mb-8 grid gap-4">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 id="today" className="text-heading font-bold">
          Today
        </h2>
        <p className="text-sm text-muted">
          <time dateTime={date}>{formatDate(date)}</time>
          {answer.data && ` · ${left === 0 ? 'no one left to see' : `${left} to see`}`}
        </p>
      </div>
      {answer.isPending && <Loading className="h-28" />}
      {answer.isError && !answer.data && (
        <Card>
          <LoadError title="Error loading appointments" answer={answer} />
        </Card>
      )}
      {next && <NextPatient appointment={next} />}
      {answer.data && left === 0 && earlier.length === 0 && (
        <Card className="py-4!">
          <p className="text-muted">Nothing is booked for today.</p>
        </Card>
      )}
      {(later.length > 0 || earlier.length > 0) && (
        <Card className="grid gap-3 p-0!">
          {later.length > 0 && <Rows label="Later today" appointments={later} />}
          {earlier.length > 0 && (
            <details className="group px-5 py-3 [&[open]]:pb-0" open={left === 0}>
              <summary className="cursor-pointer text-sm font-medium text-muted">
                Earlier today ({earlier.length})
              </summary>
              <div className="-mx-5 mt-2">
                <Rows label="Earlier today" appointments={earlier} />
              </div>
            </details>
          )}
        </Card>
      )}
    </section>
  );
}

function NextPatient({ appointment }: { readonly appointment: Appointment }) {
  return (
    <Card
      as="article"
      aria-label="Next patient"
      className="grid gap-4 border-primary! md:grid-cols-[auto_1fr_auto] md:items-center md:gap-6"
    >
      <div className="flex items-baseline gap-3 md:grid md:gap-0">
        <p className="text-xs font-semibold text-primary">Next</p>
        <p className="text-title font-bold whitespace-nowrap tabular-nums">{formatTime(appointment.time)}</p>
      </div>
      <div className="min-w-0">
        <h3 className="text-heading font-bold wrap-anywhere">
          {appointment.patientname}{' '}
          <span className="text-base font-normal text-muted">age {shownAge(appointment)}</span>
        </h3>
        <MovedFrom appointment={appointment} />
        <ReachPatient appointment={appointment} large />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2 md:justify-end">
        <StatusOfAppointment appointment={appointment} />
        <AppointmentActions appointment={appointment} />
      </div>
    </Card>
  );
}

function Rows({ label, appointments }: { readonly label: string; readonly appointments: readonly Appointment[] }) {
  return (
    <ul aria-label={label} className="divide-y divide-line">
      {appointments.map((appointment) => (
        <li
          key={appointment._id}
          className="grid gap-x-6 gap-y-2 px-5 py-3 md:grid-cols-[6rem_1fr_auto] md:items-center"
        >
          <p className="flex items-center gap-2 font-semibold tabular-nums">
            <Icon name="clock" size={16} className="text-muted" />
            {formatTime(appointment.time)}
          </p>
          <div className="min-w-0">
            <p className="font-semibold wrap-anywhere">
              {appointment.patientname}{' '}
              <span className="text-sm font-normal text-muted">age {shownAge(appointment)}</span>
            </p>
            <MovedFrom appointment={appointment} />
            <ReachPatient appointment={appointment} />
          </div>
          <StatusOfAppointment appointment={appointment} />
        </li>
      ))}
    </ul>
  );
}
