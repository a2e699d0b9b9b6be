import { calendarOf, type CalendarEntry } from '@clinic/service-kit/calendar';
import type { AppointmentRecord } from './appointment-record.ts';
import { visitOf } from './promise.ts';

/**
 * An appointment as a calendar file; see `calendarOf`.
 *
 * @param timeZone - IANA name, or an offset such as `+06:00`
 */
export function calendarFile(record: AppointmentRecord, timeZone: string): string {
  const { doctorName, patientName, status } = record;
  const entry: CalendarEntry = {
    ...calendarFields(record),
    summary: `Appointment with ${doctorName}`,
    description: `Patient: ${patientName}\nStatus: ${status}`,
  };
  return calendarOf([entry], { timeZone });
}

/** When and where an appointment was promised to be, for a calendar. */
export function calendarFields(
  record: Pick<
    AppointmentRecord,
    '_id' | 'date' | 'time' | 'duration' | 'place' | 'status' | 'sequence' | 'bookedAt' | 'changedAt'
  >,
): Omit<CalendarEntry, 'summary'> {
  const { _id, date, time, status, sequence = 0, bookedAt, changedAt } = record;
  return { id: _id.toHexString(), date, time, ...visitOf(record), status, sequence, createdAt: bookedAt, changedAt };
}
