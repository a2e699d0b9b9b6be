import { formatDate, formatTime } from '@clinic/app-kit';
import type { OutsideAppointment } from '@clinic/contracts';
import { Alert } from '@clinic/ui';

/** '3 appointments are booked'. */
export function booked(count: number): string {
  return count === 1 ? '1 appointment is booked' : `${count} appointments are booked`;
}

/** What of an appointment's promise no longer fits: 'It was promised 60 minutes; the hours now have 30.' */
export function misfitInWords({
  why = [],
  promised,
  now,
}: Pick<OutsideAppointment, 'why' | 'promised' | 'now'>): string {
  return why
    .map((one) => {
      switch (one) {
        case 'length':
          return `Promised ${promised?.minutes ?? '?'} minutes; now ${now?.minutes ?? '?'}.`;
        case 'place':
          return `Promised at ${promised?.place || 'the clinic'}; now at ${now?.place || 'the clinic'}.`;
        case 'overlap':
          return 'Another appointment has part of its time.';
        case 'time':
        default:
          return 'There are no hours at this time.';
      }
    })
    .join(' ');
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
