import { z } from 'zod';
import { attendanceStates } from './attendance.ts';

export const attendanceState = z.enum(attendanceStates, {
  error: `State must be one of ${attendanceStates.join(', ')}`,
});

/** A visit's day on the wire; a visit without it is expected. */
export const attendance = z.object({
  state: attendanceState,
  /** ISO instant of the state. */
  since: z.string(),
  /** ISO instant at which the patient arrived. */
  arrivedAt: z.string().optional(),
  /** The patient's number in the waiting room, from 1 each day. */
  number: z.number().optional(),
  /** What staff can still go back to, until an ISO instant. */
  undo: z.object({ to: attendanceState, until: z.string() }).optional(),
});
export type Attendance = z.output<typeof attendance>;
