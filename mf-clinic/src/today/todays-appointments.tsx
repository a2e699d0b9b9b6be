import { formatDate, formatTime, Link, useCall } from '@clinic/app-kit';
import type { VisitOfDay } from '@clinic/svc-clinic/contract/attendance-calls';
import { ButtonLink, Card, Icon } from '@clinic/ui';
import { hasNoEmail } from '@clinic/contracts/erased-person';
import { Loading } from '@clinic/ui/loading';
import { AboutVisitLines } from '../appointments/about-visit.tsx';
import { AppointmentActions } from '../appointments/appointment-columns.tsx';
import { AnswersButton } from '../dialogs/dialog-buttons.tsx';
import { shownAge } from '../appointments/known-details.ts';
import { MovedFrom } from '../appointments/moved-from.tsx';
import { StatusOfAppointment } from '../appointments/status-of-appointment.tsx';
import '../attendance/calls.ts';
import { NextStep } from '../attendance/next-step.tsx';
import { StateOfVisit } from '../attendance/state-of-visit.tsx';
import { stateOf } from '../attendance/steps.ts';
import { useVisitClock } from '../attendance/use-now.ts';
import { orderOfDay } from './order-of-day.ts';
import { LoadError } from '../load-error.tsx';
import { ReachPatient } from './reach-patient.tsx';

/**
 * The doctor's day: who is inside or next, with one press to call them, and who waits outside.
 *
 * @param doctorEmail - of the signed-in doctor's account; their profile may have another
 */
export function TodaysAppointments({ doctorEmail }: { readonly doctorEmail: string }) {
  const clock = useVisitClock();
  const date = clock.today;
  const answer = useCall('getDay', { query: { date, email: doctorEmail } });
  const { next, waiting, later, earlier } = orderOfDay(answer.data?.visits ?? [], clock);
  const left = waiting.length + later.length + (next ? 1 : 0);
  return (
    <section aria-labelledby="today" className="mb-8 grid gap-4">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 id="today" className="text-heading font-bold">
          Today
        </h2>
        <p className="text-sm text-muted">
          <time dateTime={date}>{formatDate(date)}</time>
          {answer.data &&
            ` · ${left === 0 ? 'no one left to see' : `${left} to see`}${waiting.length > 0 ? `, ${waiting.length} waiting outside` : ''}`}
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
      {(waiting.length > 0 || later.length > 0 || earlier.length > 0) && (
        <Card className="grid gap-3 p-0!">
          {waiting.length > 0 && <Rows label="Waiting outside" appointments={waiting} />}
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

/** The past visits with this doctor, found as the search field below would. */
const earlierVisitsOf = ({ patientname, patientemail }: VisitOfDay): string =>
  `/dash/doctorAppoinments?${new URLSearchParams({ show: 'past', q: hasNoEmail(patientemail) ? patientname : patientemail }).toString()}`;

function NextPatient({ appointment }: { readonly appointment: VisitOfDay }) {
  const state = stateOf(appointment);
  return (
    <Card
      as="article"
      aria-label="Next patient"
      className="grid gap-4 border-primary! md:grid-cols-[auto_1fr] md:items-center md:gap-x-6 2xl:grid-cols-[auto_1fr_auto]"
    >
      <div className="flex items-baseline gap-3 md:grid md:gap-0">
        <p className="text-xs font-semibold text-primary">{state === 'with doctor' ? 'Now' : 'Next'}</p>
        <p className="text-title font-bold whitespace-nowrap tabular-nums">{formatTime(appointment.time)}</p>
      </div>
      <div className="min-w-0">
        <h3 className="text-heading font-bold wrap-anywhere">
          {appointment.patientname}{' '}
          <span className="text-base font-normal text-muted">age {shownAge(appointment)}</span>
        </h3>
        <MovedFrom appointment={appointment} />
        <AboutVisitLines visit={appointment} />
        <ReachPatient appointment={appointment} large />
        {state !== 'expected' && <StateOfVisit visit={appointment} />}
      </div>
      {/* Beside the name only where that leaves it room. */}
      <div className="flex flex-wrap items-center justify-between gap-2 md:col-span-2 md:justify-end 2xl:col-span-1">
        <NextStep visit={appointment} large />
        {state === 'expected' && <StatusOfAppointment appointment={appointment} />}
        <ButtonLink
          component={Link}
          variant="ghost"
          size="sm"
          to={earlierVisitsOf(appointment)}
          aria-label={`Earlier visits of ${appointment.patientname}`}
        >
          Earlier visits
        </ButtonLink>
        <AnswersButton appointment={appointment} />
        <AppointmentActions appointment={appointment} />
      </div>
    </Card>
  );
}

function Rows({ label, appointments }: { readonly label: string; readonly appointments: readonly VisitOfDay[] }) {
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
          <div className="flex flex-wrap items-center gap-2 md:justify-end">
            {stateOf(appointment) === 'expected' ? (
              <StatusOfAppointment appointment={appointment} />
            ) : (
              <StateOfVisit visit={appointment} />
            )}
            <AnswersButton appointment={appointment} />
            <NextStep visit={appointment} />
          </div>
        </li>
      ))}
    </ul>
  );
}
