import type { AppointmentStatus } from '@clinic/contracts';
import {
  ICalCalendar,
  ICalCalendarMethod,
  ICalEventClass,
  ICalEventStatus,
  ICalEventTransparency,
} from 'ical-generator';
import { tzlib_get_ical_block } from 'timezones-ical-library';
import type { Visit } from '../schedule/visit.ts';
import type { AppointmentRecord } from './appointment-record.ts';

const statuses: Readonly<Record<AppointmentStatus, ICalEventStatus>> = {
  Pending: ICalEventStatus.TENTATIVE,
  Confirmed: ICalEventStatus.CONFIRMED,
  Cancelled: ICalEventStatus.CANCELLED,
};

/** An appointment in a calendar. */
export interface CalendarEntry {
  readonly record: Pick<AppointmentRecord, '_id' | 'date' | 'time' | 'status' | 'sequence' | 'bookedAt' | 'changedAt'>;
  readonly summary: string;
  readonly description?: string;
  readonly visit: Visit;
  /** Calendars that others may see don't show its details to them. */
  readonly isPrivate?: boolean;
}

/**
 * An appointment as a calendar file; see {@link calendarOf}.
 *
 * @param timeZone - IANA name, or an offset such as `+06:00`
 */
export function calendarFile(record: AppointmentRecord, timeZone: string, visit: Visit): string {
  const { doctorName, patientName, status } = record;
  return calendarOf(
    [
      {
        record,
        summary: `Appointment with ${doctorName}`,
        description: `Patient: ${patientName}\nStatus: ${status}`,
        visit,
      },
    ],
    { timeZone },
  );
}

export interface CalendarOptions {
  /** IANA name, or an offset such as `+06:00`. */
  readonly timeZone: string;
  /** What programs call the calendar, and how often they should read it again, seconds; for subscriptions. */
  readonly subscription?: { readonly name: string; readonly everySeconds: number };
}

/**
 * Appointments as a calendar (RFC 5545). Date and time are the clinic's, with the rules of its time zone, so that calendars
 * anywhere show them right. A stable UID with a SEQUENCE that rises with each change makes calendars replace their entry
 * (sections 3.8.4.7 and 3.8.7.4).
 *
 * Each has a DURATION instead of an end (section 3.6.1): hours and minutes of a duration are exact, while an end within the hour
 * that is repeated in autumn would be read as the first one.
 */
export function calendarOf(entries: readonly CalendarEntry[], { timeZone, subscription }: CalendarOptions): string {
  const zone = zoneName(timeZone);
  const calendar = new ICalCalendar({
    prodId: { company: 'Clinic', product: 'Appointments', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    // The calendar itself has no zone name: it would put DTSTAMP into local time, which must be UTC (section 3.8.7.2).
    timezone: { name: null, generator: zoneRules },
    ...(subscription && { name: subscription.name, ttl: subscription.everySeconds }),
  });
  for (const { record, summary, description, visit, isPrivate } of entries) {
    const { _id, date, time, status, sequence = 0, bookedAt, changedAt } = record;
    calendar.createEvent({
      id: `${_id.toHexString()}@appointments.clinic`,
      sequence,
      stamp: changedAt,
      created: bookedAt,
      lastModified: changedAt,
      // Strings are taken as local time of the clinic; a Date would be converted to this machine's.
      start: `${date}T${time}:00`,
      timezone: zone,
      summary,
      description: description ?? null,
      location: visit.place || null,
      status: statuses[status],
      ...(isPrivate && { class: ICalEventClass.PRIVATE }),
      // A cancelled one doesn't make its person busy.
      ...(status === 'Cancelled' && { transparency: ICalEventTransparency.TRANSPARENT }),
    });
  }
  let next = 0;
  // A text can't start a line of its own, and a folded line starts with a blank.
  const text = calendar
    .toString()
    .replace(/^END:VEVENT$/gm, () => `DURATION:PT${entries[next++]?.visit.minutes}M\r\nEND:VEVENT`);
  // A calendar has at least one component (section 3.6).
  return entries.length > 0 ? text : text.replace(/^END:VCALENDAR$/m, `${zoneRules(zone)}\r\nEND:VCALENDAR`);
}

const offset = /^(?<sign>[+-])(?<hours>\d\d):?(?<minutes>\d\d)?$/;
const offsetName = /^UTC(?<utcOffset>[+-]\d{4})$/;

/** The name of a zone in the file; an offset would need quotes, which not every calendar accepts. */
function zoneName(timeZone: string): string {
  const { sign, hours, minutes = '00' } = offset.exec(timeZone)?.groups ?? {};
  if (sign !== undefined) return `UTC${sign}${hours}${minutes}`;
  // The library treats UTC as no time zone, and the strings as this machine's time.
  return timeZone.toUpperCase() === 'UTC' ? 'Etc/UTC' : timeZone;
}

/**
 * The VTIMEZONE of a zone (section 3.6.5).
 *
 * @param zone - as {@link zoneName} returns it
 */
function zoneRules(zone: string): string | null {
  const { utcOffset } = offsetName.exec(zone)?.groups ?? {};
  if (utcOffset !== undefined) {
    return [
      'BEGIN:VTIMEZONE',
      `TZID:${zone}`,
      'BEGIN:STANDARD',
      `TZOFFSETFROM:${utcOffset}`,
      `TZOFFSETTO:${utcOffset}`,
      'DTSTART:19700101T000000',
      'END:STANDARD',
      'END:VTIMEZONE',
    ].join('\r\n');
  }
  // The library knows one name for zones with the same rules (Europe/Brussels for Europe/Amsterdam); the event uses ours.
  const rules =
    tzlib_get_ical_block(zone)[0] ??
    tzlib_get_ical_block(new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone)[0];
  return rules?.replace(/^TZID:.*$/m, `TZID:${zone}`) ?? null;
}
