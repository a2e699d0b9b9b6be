import { formatTime } from '@clinic/app-kit';
import type { AttendanceState } from '@clinic/svc-clinic/contract/attendance';
import type { VisitOfDay } from '@clinic/svc-clinic/contract/attendance-calls';
import { Button, Icon } from '@clinic/ui';
import { shownAge } from '../appointments/known-details.ts';
import { NextStep } from '../attendance/next-step.tsx';
import { StateOfVisit } from '../attendance/state-of-visit.tsx';
import { inWords, stateOf, stepsOf } from '../attendance/steps.ts';
import { useAttendance } from '../attendance/use-attendance.ts';
import { useVisitClock } from '../attendance/use-now.ts';
import { phoneLink } from '../phone-link.ts';

/** The button that the arrow keys go to. */
export const nextButton = '[data-next-step]';

/** A visit at the desk: who, since when, and one press for what comes next. */
export function VisitRow({ visit }: { readonly visit: VisitOfDay }) {
  const { note } = useAttendance();
  const state = stateOf(visit);
  const { missed, undo } = stepsOf(visit, useVisitClock());
  const name = `${visit.patientname}, ${formatTime(visit.time)}`;
  const other = (to: AttendanceState, text: string) => (
    <Button variant="ghost" size="sm" aria-label={`${text}: ${name}`} onClick={() => void note(visit, to)}>
      {text}
    </Button>
  );
  return (
    <li
      data-visit
      className="grid gap-x-4 gap-y-2 px-4 py-3 sm:grid-cols-[5.5rem_minmax(0,1fr)_auto] sm:items-center sm:px-5"
    >
      <p className="font-semibold whitespace-nowrap tabular-nums">{formatTime(visit.time)}</p>
      <div className="grid min-w-0 gap-1">
        <p className="flex flex-wrap items-baseline gap-x-2 wrap-anywhere">
          <span className="font-semibold">{visit.patientname}</span>{' '}
          <span className="text-sm text-muted">
            age {shownAge(visit)}
            {visit.walkIn === true && ' · walk-in'}
          </span>
          {visit.number !== '' && (
            <a
              className="inline-flex min-h-6 items-center gap-1 text-sm whitespace-nowrap underline decoration-line underline-offset-4"
              href={phoneLink(visit.number)}
              aria-label={`Phone ${visit.patientname}, ${visit.number}`}
            >
              <Icon name="phone" size={14} />
              {visit.number}
            </a>
          )}
        </p>
        <StateOfVisit visit={visit} />
        {visit.willCome !== undefined && state === 'expected' && (
          <p className="text-sm font-semibold">{visit.willCome ? 'Has said they’ll come' : 'Not confirmed'}</p>
        )}
        {visit.missedBefore > 0 && state !== 'missed' && (
          <p className="text-sm text-muted">
            Missed {visit.missedBefore === 1 ? 'a visit' : `${visit.missedBefore} visits`} before
          </p>
        )}
      </div>
      {/* The next step is the first for keys and on phones, and in line with those of the other rows. */}
      <div className="flex flex-wrap items-center gap-1 sm:flex-row-reverse">
        <NextStep visit={visit} />
        {missed !== undefined && other('missed', missed)}
        {undo !== undefined && other(undo, undoText(undo))}
      </div>
    </li>
  );
}

const undoText = (to: AttendanceState): string => `Back to ${inWords(to).replace(' again', '')}`;
