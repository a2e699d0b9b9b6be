import type { AppointmentActor, TransitionTable } from '@clinic/contracts/transitions';
import { z } from 'zod';

/** How far a visit has got on its day, apart from its status. */
export const attendanceStates = ['expected', 'arrived', 'called', 'with doctor', 'finished', 'missed'] as const;
export type AttendanceState = (typeof attendanceStates)[number];

/** Who may say so. Patients only say that they are here. */
export const attendanceTransitions: TransitionTable<AttendanceState, AppointmentActor> = {
  expected: { arrived: ['admin', 'doctor', 'patient'], missed: ['admin', 'doctor'] },
  arrived: { called: ['admin', 'doctor'], 'with doctor': ['admin', 'doctor'], missed: ['admin', 'doctor'] },
  // Whoever doesn't answer waits on.
  called: { 'with doctor': ['admin', 'doctor'], arrived: ['admin', 'doctor'], missed: ['admin', 'doctor'] },
  'with doctor': { finished: ['admin', 'doctor'] },
  finished: {},
  // Late, but here.
  missed: { arrived: ['admin', 'doctor'] },
};

/** Minutes for which staff can take back what they noted. */
export const attendanceUndoMinutes = 10;

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
