import { formatDate, formatTime } from '@clinic/app-kit';
import { scheduleLimits } from '@clinic/svc-clinic/contract/limits';
import type { OutsideAppointment } from '@clinic/svc-clinic/contract/schedule-schemas';
import { Alert } from '@clinic/ui';
import { misfitInWords } from './outside-words.ts';

/** '3 appointments are booked'. @param count - of those named, which are so many at most */
export function booked(count: number): string {
  if (count === 1) return '1 appointment is booked';
  return `${count < scheduleLimits.outside ? '' : 'At least '}${count} appointments are booked`;
}

/** Most names in the warning. */
const named = 5;

/** Warns of appointments that a change would leave outside the hours. */
export function OutsideWarning({ outside }: { readonly outside: readonly OutsideAppointment[] }) {
  return (
    <Alert kind="warning" title={`${booked(outside.length)} outside these hours`}>
      <ul className="list-disc ps-5">
        {outside.slice(0, named).map((one) => (
          <li key={one._id}>
            {one.patientname}, {formatDate(one.date)} at {formatTime(one.time)}
            {one.why && <span className="block text-sm">{misfitInWords(one)}</span>}
          </li>
        ))}
        {outside.length > named && <li>and {outside.length - named} more</li>}
      </ul>
      <p>
        They stay booked as promised, with their length and place, and nobody is told anything. After you save, you can
        keep, move or cancel them; patients get a message about a move or a cancellation.
      </p>
    </Alert>
  );
}
