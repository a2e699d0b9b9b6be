import {
  ICalAttendeeStatus,
  ICalCalendar,
  ICalCalendarMethod,
  ICalEventClass,
  ICalEventStatus,
  ICalEventTransparency,
  type ICalEventData,
} from 'ical-generator';
import { zoneName, zoneRules } from './zone-rules.ts';

/** All that calendars know (RFC 5545, section 3.8.1.11). */
const statuses = {
  Pending: ICalEventStatus.TENTATIVE,
  Confirmed: ICalEventStatus.CONFIRMED,
  Cancelled: ICalEventStatus.CANCELLED,
};

/** An appointment in a calendar. */
export interface CalendarEntry {
  /** The appointment's id: its entry has the same UID in files, subscriptions and mails. */
  readonly id: string;
  /** 'yyyy-mm-dd', by the clinic's clock. */
  readonly date: string;
  /** 'HH:mm', by the clinic's clock. */
  readonly time: string;
  readonly minutes: number;
  /** Empty if unknown. */
  readonly place: string;
  readonly status: keyof typeof statuses;
  /** Rises with each change; 0 at first. */
  readonly sequence: number;
  readonly createdAt?: Date | undefined;
  readonly changedAt?: Date | undefined;
  readonly summary: string;
  readonly description?: string;
  /** Shared calendars hide its details from others. */
  readonly isPrivate?: boolean;
}

/** A party of an invitation. */
interface Mailbox {
  readonly name: string;
  readonly email: string;
}

/** The parties of an invitation: both of its methods name them (RFC 5546, sections 3.2.2 and 3.2.5). */
export interface Invitation {
  readonly method: 'REQUEST' | 'CANCEL';
  readonly organizer: Mailbox;
  readonly attendee: Mailbox;
}

export interface CalendarOptions {
  /** IANA name, or an offset such as `+06:00`. */
  readonly timeZone: string;
  /** The name that programs show, and how often they should poll the calendar, in seconds; for subscriptions. */
  readonly subscription?: { readonly name: string; readonly everySeconds: number };
  /** For a calendar sent by mail: the reader's program offers to add, update or remove it. */
  readonly invitation?: Invitation;
}

/**
 * Appointments as a calendar (RFC 5545). Date and time are the clinic's, with its time zone's rules, so that calendars
 * anywhere show them correctly. A stable UID with a SEQUENCE that rises with each change makes calendars replace their
 * entry (sections 3.8.4.7 and 3.8.7.4).
 *
 * Each has a DURATION instead of an end (section 3.6.1): a duration's hours and minutes are exact, while an end within
 * the hour that is repeated in autumn would be read as the first one.
 */
export function calendarOf(
  entries: readonly CalendarEntry[],
  { timeZone, subscription, invitation }: CalendarOptions,
): string {
  const zone = zoneName(timeZone);
  const calendar = new ICalCalendar({
    prodId: { company: 'Clinic', product: 'Appointments', language: 'EN' },
    method: ICalCalendarMethod[invitation?.method ?? 'PUBLISH'],
    // The calendar itself has no zone name: it would put DTSTAMP into local time, which must be UTC (section 3.8.7.2).
    timezone: { name: null, generator: zoneRules },
    ...(subscription && { name: subscription.name }),
  });
  for (const entry of entries) calendar.createEvent(eventOf(entry, zone, invitation));
  let next = 0;
  // A text can't start a new line: a folded line starts with a blank.
  const text = calendar
    .toString()
    // The properties of a calendar come before its components (section 3.4).
    .replace(/^METHOD:.*$/m, (line) =>
      subscription ? `${line}\r\n${refreshedEvery(subscription.everySeconds)}` : line,
    )
    .replace(/^END:VEVENT$/gm, () => `DURATION:PT${entries[next++]?.minutes}M\r\nEND:VEVENT`);
  // A calendar has at least one component (section 3.6).
  return entries.length > 0 ? text : text.replace(/^END:VCALENDAR$/m, `${zoneRules(zone)}\r\nEND:VCALENDAR`);
}

/** How often programs should read it again: RFC 7986, section 5.7, and the name that older programs know. */
function refreshedEvery(seconds: number): string {
  const duration = seconds % 3_600 === 0 ? `PT${seconds / 3_600}H` : `PT${seconds}S`;
  return `REFRESH-INTERVAL;VALUE=DURATION:${duration}\r\nX-PUBLISHED-TTL:${duration}`;
}

/** Control characters are in no value (RFC 5545, section 3.1). */
// oxlint-disable-next-line no-control-regex -- these are the ones
const plain = (text: string): string => text.replaceAll(/\r\n?/g, '\n').replaceAll(/[\0-\t\v-\x1F\x7F]/g, ' ');

/**
 * A name as a parameter, whose values have no escape with a backslash: RFC 6868 writes quotes and line breaks with `^`. The
 * generator would still double a backslash.
 */
const parameter = ({ name, email }: Mailbox): Mailbox => ({
  // The generator rejects an empty name.
  name: (plain(name).trim() || email)
    .replaceAll('\\', '/')
    .replaceAll('^', '^^')
    .replaceAll('\n', '^n')
    .replaceAll('"', "^'"),
  email,
});

/** @param zone - as {@link zoneName} returns it */
function eventOf(entry: CalendarEntry, zone: string, invitation: Invitation | undefined): ICalEventData {
  const { id, date, time, status, sequence, createdAt, changedAt, summary, description, place, isPrivate } = entry;
  return {
    id: `${id}@appointments.clinic`,
    sequence,
    stamp: changedAt,
    created: createdAt,
    lastModified: changedAt,
    // Strings are taken as local time of the clinic; a Date would be converted to this machine's.
    start: `${date}T${time}:00`,
    timezone: zone,
    summary: plain(summary),
    description: description === undefined ? null : plain(description),
    location: plain(place) || null,
    status: statuses[status],
    ...(isPrivate && { class: ICalEventClass.PRIVATE }),
    // A cancelled appointment doesn't make anyone busy.
    ...(status === 'Cancelled' && { transparency: ICalEventTransparency.TRANSPARENT }),
    ...(invitation && {
      organizer: parameter(invitation.organizer),
      // The patient requested the time, so the calendar needn't ask whether they accept it.
      attendees: [{ ...parameter(invitation.attendee), status: ICalAttendeeStatus.ACCEPTED, rsvp: false }],
    }),
  };
}
