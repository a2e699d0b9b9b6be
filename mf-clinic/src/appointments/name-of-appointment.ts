import { formatDate, formatTime } from '@clinic/app-kit';
import type { Appointment } from '@clinic/contracts';

/** 'Ann Lee, Tue, Dec 1, 2026 at 9:30 AM': identifies an appointment in labels and messages. */
export function nameOfAppointment({
  patientname,
  date,
  time,
}: Pick<Appointment, 'patientname' | 'date' | 'time'>): string {
  return `${patientname}, ${formatDate(date)} at ${formatTime(time)}`;
}
