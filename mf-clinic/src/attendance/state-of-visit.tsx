import type { AttendanceState } from '@clinic/svc-clinic/contract/attendance';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { StatusBadge, type IconName, type Tone } from '@clinic/ui';
import { arrivalOf, hasLeft, inMinutes, minutesLate, minutesSince, stateOf } from './steps.ts';
import { useVisitClock } from './use-now.ts';

const badges: Readonly<Record<AttendanceState, readonly [text: string, tone: Tone, icon: IconName]>> = {
  expected: ['Expected', 'grey', 'calendar'],
  arrived: ['Waiting', 'yellow', 'clock'],
  called: ['Called', 'blue', 'arrow-right'],
  'with doctor': ['With the doctor', 'blue', 'activity'],
  finished: ['Finished', 'green', 'check'],
  missed: ['Didn’t come', 'red', 'x'],
};

/** How far a visit has got, for how long, and the patient’s number. */
export function StateOfVisit({ visit }: { readonly visit: Appointment }) {
  const clock = useVisitClock();
  const state = stateOf(visit);
  const [text, tone, icon] = Object.hasOwn(badges, state) ? badges[state] : ([state, 'grey', 'clock'] as const);
  const late = minutesLate(visit, clock);
  const { attendance } = visit;
  const from = state === 'with doctor' ? attendance?.since : arrivalOf(attendance);
  const here = state === 'arrived' || state === 'called' || state === 'with doctor';
  const details = here
    ? [
        from && `for ${inMinutes(minutesSince(from, clock.now))}`,
        attendance?.number !== undefined && `no. ${attendance.number}`,
      ].filter(Boolean)
    : [];
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <StatusBadge
        status={late > 0 ? `Late, ${inMinutes(late)}` : hasLeft(visit) ? 'Left' : text}
        tone={late > 0 ? 'red' : tone}
        icon={late > 0 ? 'alert-circle' : icon}
      />
      {details.length > 0 && <span className="text-sm text-muted tabular-nums">{details.join(' · ')}</span>}
    </span>
  );
}
