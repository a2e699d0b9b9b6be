import { appointmentMinutes } from '@clinic/contracts/limits';
import type { AppointmentStatus } from '@clinic/contracts';
import { ICalCalendar, ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { tzlib_get_ical_block } from 'timezones-ical-library';
import type { AppointmentRecord } from './appointment-record.ts';

const statuses: Readonly<Record<AppointmentStatus, ICalEventStatus>> = {
  Pending: ICalEventStatus.TENTATIVE, Confirmed: ICalEventStatus.CONFIRMED, Cancelled: ICalEventStatus.CANCELLED,
};

/**
 * An appointment as a calendar file (RFC 5545). Date and time are the clinic's, with the rules of its time zone, so that a
 * calendar anywhere shows them right. The same UID and a higher SEQUENCE after each change make a calendar replace what it
 * has (sections 3.8.4.7 and 3.8.7.4).
 *
 * @param timeZone - IANA name
 * @param location - where the doctor sees patients; empty: not known
 */
export function calendarFile(record: AppointmentRecord, timeZone: string, location: string): string {
  const { _id, doctorName, patientName, date, time, status, sequence = 0, bookedAt, changedAt } = record;
  const calendar = new ICalCalendar({
    prodId: { company: 'Clinic', product: 'Appointments', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    // Without a name of its own, as that would put DTSTAMP into local time, which must be UTC (section 3.8.7.2).
    timezone: { name: null, generator: (zone) => tzlib_get_ical_block(zone)[0] ?? null },
  });
  calendar.createEvent({
    id: `${_id.toHexString()}@appointments.clinic`,
    sequence,
    stamp: changedAt,
    created: bookedAt,
    lastModified: changedAt,
    // Texts are taken as they stand on the clinic's clock; a Date would be read on this computer's.
    start: `${date}T${time}:00`,
    end: endOf(date, time),
    timezone: timeZone,
    summary: `Appointment with ${doctorName}`,
    description: `Patient: ${patientName}\nStatus: ${status}`,
    location: location || null,
    status: statuses[status],
  });
  return calendar.toString();
}

/** Wall clock arithmetic: nobody's half hour is cut at midnight. */
function endOf(date: string, time: string): string {
  return new Date(Date.parse(`${date}T${time}:00Z`) + appointmentMinutes * 60_000).toISOString().slice(0, 19);
}
