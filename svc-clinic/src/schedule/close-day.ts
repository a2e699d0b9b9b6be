import type { ParsedBody } from '@clinic/contracts';
import { rejected } from '@clinic/service-kit';
import type { ClientSession } from 'mongodb';
import type { DoctorRecord } from '../doctors/doctor-record.ts';
import { doctorById } from '../doctors/read-doctor.ts';
import type { RequestedChange } from '../record-change.ts';
import { changeSchedule } from './change-schedule.ts';
import { scheduledBy, toSchedule, type ScheduleDraft } from './schedule-of.ts';

/** Midnight at the beginning of a day. */
const from = '00:00';

type Closing = Omit<ParsedBody<'closeDay'>, 'closed'>;

/** Closes the whole day, or its hours until a time. */
const withClosed = ({ daysOff, exceptions }: Pick<ScheduleDraft, 'daysOff' | 'exceptions'>, { date, until }: Closing) =>
  until === undefined
    ? { daysOff: [...daysOff, date] }
    : { exceptions: [...exceptions, { date, kind: 'off' as const, from, until, place: '' }] };

/** A doctor as if days were closed that are about to be. @param today - 'yyyy-mm-dd' in the clinic's time zone */
export function asIfClosed(doctor: DoctorRecord, days: readonly Closing[], today: string): DoctorRecord {
  return days.reduce((closed, day) => {
    const present = toSchedule(closed, today);
    const scheduled = scheduledBy({ ...present, ...withClosed(present, day) }, today);
    // As a change of days off alone, which leaves plain times as they are.
    return { ...closed, ...(day.until === undefined ? { daysOff: scheduled.daysOff ?? [] } : scheduled) };
  }, doctor);
}

/**
 * Closes a doctor's day, or its hours until a time, to new bookings, moves and offers, or opens it again. Appointments
 * stay booked until staff move or cancel them.
 *
 * @param today - 'yyyy-mm-dd' in the clinic's time zone
 * @param session - the transaction of profile and event
 * @returns whether anything has changed
 * @throws ProblemError `not_found`; `validation_failed` for a day in the past or too far ahead, hours that end before they
 *   begin or a doctor without any, and too many days off or exceptions
 */
export async function closeDay(
  change: RequestedChange<ParsedBody<'closeDay'>>,
  today: string,
  session: ClientSession,
): Promise<boolean> {
  const { date, closed, until } = change.requested;
  if (date < today) throw rejected('date', 'This day is in the past');
  const { version, daysOff, exceptions } = toSchedule(
    await doctorById(change.collections.doctors, change.id, session),
    today,
  );
  const others = exceptions.filter(
    (one) => !(one.kind === 'off' && one.date === date && one.from === from && one.until === until),
  );
  const isClosed = until === undefined ? daysOff.includes(date) : others.length < exceptions.length;
  if (isClosed === closed) return false;
  const parts = closed
    ? withClosed({ daysOff, exceptions }, { date, until })
    : until === undefined
      ? { daysOff: daysOff.filter((day) => day !== date) }
      : { exceptions: others };
  await changeSchedule({ ...change, requested: { version, ...parts } }, today, session);
  return true;
}
