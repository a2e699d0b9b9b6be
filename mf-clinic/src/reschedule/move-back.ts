import { api, formatDate, formatTime } from '@clinic/app-kit';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { otherPerson } from '../appointments/name-of-appointment.ts';
import '../series/calls.ts';

/** An appointment as a move has left it. */
export type Moved = Pick<Appointment, '_id' | 'doctoremail' | 'date' | 'time'>;

/** An appointment as it is on screen: somebody may move it meanwhile. */
export const seenOf = ({ doctoremail, date, time }: Omit<Moved, '_id'>) => ({ doctoremail, date, time });

/** Undo of moves by staff: each appointment gets what it was promised before. @param done - message when it is done */
export function undoOf(moved: readonly Moved[], done: string) {
  const moves = moved.map(({ _id: id, ...one }) => ({ id, seen: seenOf(one) }));
  return { call: 'undoMoves', input: { body: { moves } }, done } as const;
}

/** Undoes moves by staff, all of them or none. */
export function takeMovesBack(moved: readonly Moved[]): Promise<unknown> {
  const { call, input } = undoOf(moved, '');
  return api.call(call, input);
}

/**
 * How to undo a move. A patient's is undone by another move, which would leave a confirmed one unconfirmed: there is none if
 * the status has changed.
 */
export function moveBack(moved: Appointment, { status, date, time }: Appointment, byPatient: boolean) {
  if (moved.status !== status) return undefined;
  const done = `${otherPerson(moved)} is back on ${formatDate(date)} at ${formatTime(time)}`;
  if (!byPatient) return undoOf([moved], done);
  const body = { date, time, seen: seenOf(moved) };
  return { call: 'rescheduleAppointment', input: { params: { id: moved._id }, body }, done } as const;
}
