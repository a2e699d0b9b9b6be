import { formatTime } from '@clinic/app-kit';
import type { VisitOfDay } from '@clinic/svc-clinic/contract/attendance-calls';
import { Button } from '@clinic/ui';
import { stateOf, stepsOf } from './steps.ts';
import { useAttendance } from './use-attendance.ts';
import { useVisitClock } from './use-now.ts';

/** One press for what comes next on a visit’s day; the arrow keys of the reception go from one to the next. */
export function NextStep({ visit, large = false }: { readonly visit: VisitOfDay; readonly large?: boolean }) {
  const { note, pending } = useAttendance();
  const state = stateOf(visit);
  const { next } = stepsOf(visit, useVisitClock());
  return (
    next && (
      <Button
        data-next-step
        size={large ? 'md' : 'sm'}
        variant={state === 'expected' || state === 'missed' ? 'secondary' : 'primary'}
        busy={pending}
        aria-label={`${next.text}: ${visit.patientname}, ${formatTime(visit.time)}`}
        onClick={() => void note(visit, next.to)}
      >
        {next.text}
      </Button>
    )
  );
}
