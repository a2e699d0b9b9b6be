import { appointmentMinutes } from '@clinic/contracts/limits';
import type { VisitInMessage } from '@clinic/contracts/outbox/entries';
import { calendarOf } from '@clinic/service-kit/calendar';
import type { Setting } from './message-words.ts';

/**
 * A visit for the reader's calendar: adds, updates or removes the same entry as the clinic's calendar file and
 * subscription.
 *
 * @param method - CANCEL removes the entry
 */
export function visitInvitation(
  { id, doctor, date, time, place, minutes = appointmentMinutes, sequence, status }: VisitInMessage,
  method: 'REQUEST' | 'CANCEL',
  { clinic, to, words }: Setting,
): string {
  return calendarOf(
    [
      {
        id,
        date,
        time,
        minutes,
        place: place ? `${place}, ${clinic.address}` : clinic.address,
        status: method === 'CANCEL' ? 'Cancelled' : status,
        sequence,
        summary: words.appointments.calendarEntry(doctor),
        isPrivate: true,
      },
    ],
    {
      timeZone: clinic.zone,
      invitation: {
        method,
        organizer: { name: clinic.name, email: clinic.email },
        attendee: { name: to.name ?? to.email, email: to.email },
      },
    },
  );
}
