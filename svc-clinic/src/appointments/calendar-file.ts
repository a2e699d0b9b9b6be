import { calendarOf, type CalendarEntry } from '@clinic/service-kit/calendar';
import type { Visit } from '../schedule/visit.ts';
import type { AppointmentRecord } from './appointment-record.ts';

/**
 * An appointment as a calendar file; see `calendarOf`.
 *
 * @param timeZone - IANA name, or an offset such as `+06:00`
 */
export function calendarFile(record: AppointmentRecord, timeZone: string, visit: Visit): string {
  const { doctorName, patientName, status } = record;
  const entry: CalendarEntry = {
    ...calendarFields(record, visit),
    summary: `Appointment with ${doctorName}`,
    description: `Patient: ${patientName}\nStatus: ${status}`,
  };
  return calendarOf([entry], { timeZone });
}

/** When and where an appointment is, for a calendar. */
export function calendarFields(
  record: Pick<AppointmentRecord, '_id' | 'date' | 'time' | 'status' | 'sequence' | 'bookedAt' | 'changedAt'>,
  visit: Visit,
): Omit<CalendarEntry, 'summary'> {
  const { _id, date, time, status, sequence = 0, bookedAt, changedAt } = record;
  return { id: _id.toHexString(), date, time, ...visit, status, sequence, createdAt: bookedAt, changedAt };
}
