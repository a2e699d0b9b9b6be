import { ProblemError, type SharedCount } from '@clinic/service-kit';
import type { ClientSession } from 'mongodb';
import type { ChangeOfSeveral } from '../appointments/appointment-change.ts';
import { toAppointment } from '../appointments/appointment-record.ts';
import { trySecret } from '../calendar-feeds/feed-limits.ts';
import type { Appointment } from '../contract/schemas.ts';
import { appointmentWithCode } from './arrival-codes.ts';
import { daysOfToday, isVisitOfToday, stateOf } from './attendance-record.ts';
import { changeAttendance } from './change-attendance.ts';

/** Wrong codes of one person in ten minutes, over all replicas: a day with 200 visits has one in 4,000 right. */
export const wrongCodes = { most: 30, windowMs: 600_000 } as const;

/**
 * Notes that the patient who says this code is here. One who is here already, or who has been seen, stays as they are.
 *
 * @param typed - the code as the desk has typed it
 * @param tries - counter of wrong codes by account
 * @param inTransaction - runs the change
 * @throws ProblemError `not_found` if no visit of today has the code; `rate_limited`; those of `changeAttendance`
 */
export async function arriveByCode(
  change: ChangeOfSeveral,
  typed: string,
  tries: SharedCount,
  inTransaction: (run: (session: ClientSession) => Promise<Appointment>) => Promise<Appointment>,
): Promise<Appointment> {
  const { collections, clock, caller, rules } = change;
  const record = await trySecret(tries, caller.id, wrongCodes.most, async () => {
    for (const date of daysOfToday(clock).toReversed()) {
      const _id = await appointmentWithCode(collections, date, typed);
      // Moved to another day, it has another code.
      const found = _id && (await collections.appointments.findOne({ _id, date }));
      if (found && isVisitOfToday(found, clock)) return found;
    }
    return null;
  });
  if (!record) throw new ProblemError('not_found', { detail: 'No visit of today has this code.' });
  const state = stateOf(record);
  if (state !== 'expected' && state !== 'missed') return toAppointment(record, rules, caller);
  return inTransaction((session) =>
    changeAttendance({ ...change, id: record._id }, { from: state, to: 'arrived' }, session),
  );
}
