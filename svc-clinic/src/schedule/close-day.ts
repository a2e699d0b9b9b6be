import type { ParsedBody } from '@clinic/contracts';
import { rejected } from '@clinic/service-kit';
import type { ClientSession } from 'mongodb';
import { doctorById } from '../doctors/read-doctor.ts';
import type { RequestedChange } from '../record-change.ts';
import { changeSchedule } from './change-schedule.ts';
import { toSchedule } from './schedule-of.ts';

/** Midnight at the beginning of a day. */
const from = '00:00';

/**
 * Closes a doctor's day, or its hours until a time, for new bookings, moves and offers, or opens it again. Appointments
 * stay booked until staff move or cancel them.
 *
 * @param today - 'yyyy-mm-dd' in the clinic's time zone
 * @param session - the transaction of profile and event
 * @returns whether anything has changed
 * @throws ProblemError `not_found`; `validation_failed` for a day in the past, or too many days off or exceptions
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
  const requested =
    until === undefined
      ? { version, daysOff: closed ? [...daysOff, date] : daysOff.filter((day) => day !== date) }
      : {
          version,
          exceptions: closed ? [...others, { date, kind: 'off' as const, from, until, place: '' }] : others,
        };
  await changeSchedule({ ...change, requested }, today, session);
  return true;
}
