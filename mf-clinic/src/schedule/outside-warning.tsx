import { formatDate, formatTime } from '@clinic/app-kit';
import type { OutsideAppointment } from '@clinic/contracts';
import { Alert } from '@clinic/ui';

/** '3 appointments are booked'. */
export function booked(count: number): string {
  return count === 1 ? '1 appointment is booked' : `${count} appointments are booked`;
}

/** Most names in the warning. */
const named = 5;

/** Warns of appointments that a change would leave outside the hours. */
export function OutsideWarning({ outside }: { readonly outside: readonly OutsideAppointment[] }) {
  return (
    <Alert kind="warning" title={`${booked(outside.length)} outside these hours`}>
      <ul className="list-disc ps-5">
        {outside.slice(0, named).map(({ _id, patientname, date, time }) => (
          <li key={_id}>
            {patientname}, {formatDate(date)} at {formatTime(time)}
          </li>
        ))}
        {outside.length > named && <li>and {outside.length - named} more</li>}
      </ul>
      <p>They stay booked. After you save, you can move, keep or cancel each.</p>
    </Alert>
  );
}
