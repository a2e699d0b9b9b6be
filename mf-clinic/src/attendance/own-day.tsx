import { formatTime, useCall, useSession } from '@clinic/app-kit';
import { addDays } from '@clinic/contracts/clinic-time';
import { isOfToday } from '@clinic/svc-clinic/contract/attendance';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { Button, Card, Icon } from '@clinic/ui';
import './calls.ts';
import { actorsFor } from '../appointments/may-change.ts';
import { stateOf, timedVisit } from './steps.ts';
import { useAttendance } from './use-attendance.ts';
import { useVisitClock } from './use-now.ts';

/** Of two days; those of a doctor with their patients are among them. */
const mostOfDay = 100;

/** Milliseconds between two questions about the place in the queue: others’ changes aren’t on the patient’s live line. */
const queueEvery = 15_000;

/** Today’s visits of the patient: *I’m here*, then their number and place. Nothing on other days. */
export function OwnDay() {
  const session = useSession();
  const email = session.user?.email ?? '';
  const clock = useVisitClock();
  const { today } = clock;
  const answer = useCall('listAppointments', {
    // One from before midnight may still go on.
    query: { email, from: addDays(today, -1), until: today, open: 'true', sort: 'date', limit: mostOfDay },
  });
  const visits = (answer.data ?? []).filter(
    (one) =>
      isOfToday(timedVisit(one, clock.timeZone), clock) &&
      actorsFor(one, session).includes('patient') &&
      stateOf(one) !== 'finished' &&
      stateOf(one) !== 'missed',
  );
  if (visits.length === 0) return null;
  return (
    <section aria-labelledby="own-day" className="mb-6 grid gap-3">
      <h2 id="own-day" className="text-heading font-bold">
        Today
      </h2>
      {visits.map((visit) => (
        <OwnVisit key={visit._id} visit={visit} />
      ))}
    </section>
  );
}

function OwnVisit({ visit }: { readonly visit: Appointment }) {
  const { note, pending } = useAttendance();
  const state = stateOf(visit);
  const where = visit.place ? `${visit.doctorname}, ${visit.place}` : visit.doctorname;
  return (
    <Card className="flex flex-wrap items-center gap-x-6 gap-y-3 border-primary!">
      <div className="min-w-0 flex-1 basis-48">
        <p className="text-heading font-bold tabular-nums">{formatTime(visit.time)}</p>
        <p className="wrap-anywhere">{where}</p>
        <p className="text-sm text-muted wrap-anywhere">{visit.patientname}</p>
        {state === 'expected' && <OwnCode id={visit._id} />}
      </div>
      {state === 'expected' ? (
        <Button
          icon="pin"
          busy={pending}
          aria-label={`I’m here: ${where}, ${formatTime(visit.time)}`}
          onClick={() => void note(visit, 'arrived')}
        >
          I’m here
        </Button>
      ) : (
        <OwnPlace visit={visit} />
      )}
    </Card>
  );
}

/** What to say at the desk instead; services of earlier releases have no code. */
function OwnCode({ id }: { readonly id: string }) {
  const { data } = useCall('getPlaceInQueue', { params: { id } });
  if (data?.code === undefined) return null;
  return (
    <p className="mt-1">
      At the desk, say <strong className="font-mono text-heading tracking-widest">{data.code}</strong>
    </p>
  );
}

function OwnPlace({ visit }: { readonly visit: Appointment }) {
  const answer = useCall(
    'getPlaceInQueue',
    { params: { id: visit._id } },
    { refetchInterval: queueEvery, staleTime: 0 },
  );
  // The answer from before the arrival, which had the code, may still be there.
  const known = answer.data?.state === 'expected' ? undefined : answer.data;
  const { state = stateOf(visit), number = visit.attendance?.number, ahead } = known ?? {};
  return (
    <output className="flex items-center gap-4">
      {number !== undefined && (
        <span className="grid justify-items-center rounded-card bg-tint px-4 py-2 text-primary">
          <span className="text-xs font-semibold whitespace-nowrap">Your number</span>
          <span className="text-title font-bold tabular-nums">{number}</span>
        </span>
      )}
      <span className="font-semibold">
        {state === 'called' ? (
          <>
            <Icon name="arrow-right" size={18} className="me-1 inline" />
            Please go in{visit.place ? `: ${visit.place}` : ''}
          </>
        ) : state === 'with doctor' ? (
          'You’re with the doctor'
        ) : (
          inQueue(ahead)
        )}
      </span>
    </output>
  );
}

function inQueue(ahead: number | undefined): string {
  if (ahead === undefined) return 'We know that you’re here';
  if (ahead === 0) return 'You’re next';
  return ahead === 1 ? '1 patient is before you' : `${ahead} patients are before you`;
}
