import { useQueryClient } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import type { AttendanceState } from '@clinic/svc-clinic/contract/attendance';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { appointmentLists } from '@clinic/svc-clinic/contract/lists';
import './calls.ts';
import { hasLeft, inWords, stateOf } from './steps.ts';

const touched = [...appointmentLists, 'getAppointmentHistory'] as const;

/** Notes how far a visit has got, with Undo. */
export function useAttendance() {
  const client = useQueryClient();
  const change = useChange('changeAttendance', {
    invalidates: touched,
    success: (visit) => `${visit.patientname}: ${hasLeft(visit) ? 'left' : inWords(stateOf(visit))}`,
    undo: ({ _id: id, patientname, attendance }) =>
      attendance?.undo && {
        call: 'changeAttendance',
        input: { params: { id }, body: { from: attendance.state, to: attendance.undo.to } },
        done: `${patientname}: ${inWords(attendance.undo.to)}`,
      },
    // A rejection usually means that somebody else was faster: show the current state.
    onError: () => void Promise.all(touched.map((list) => client.invalidateQueries({ queryKey: [list] }))),
  });
  return {
    pending: change.isPending,
    note: (visit: Appointment, to: AttendanceState): Promise<unknown> =>
      change
        .mutateAsync({ params: { id: visit._id }, body: { from: stateOf(visit), to } })
        // The message has said so.
        .catch(() => undefined),
  };
}
