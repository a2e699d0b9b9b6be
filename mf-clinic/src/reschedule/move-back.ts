import { formatDate, formatTime } from '@clinic/app-kit';
import type { Appointment } from '@clinic/contracts';
import { otherPerson } from '../appointments/name-of-appointment.ts';

/** How to undo a move. A patient's move back would leave it unconfirmed, so there is none if the status has changed. */
export function moveBack(moved: Appointment, { status, date, time }: Appointment) {
  if (moved.status !== status) return undefined;
  return {
    call: 'rescheduleAppointment',
    input: { params: { id: moved._id }, body: { date, time } },
    done: `${otherPerson(moved)} is back on ${formatDate(date)} at ${formatTime(time)}`,
  } as const;
}
