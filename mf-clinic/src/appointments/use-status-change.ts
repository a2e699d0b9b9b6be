import { api, useQueryClient } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import type { AppointmentStatus } from '@clinic/svc-clinic/contract/transitions';
import '../series/calls.ts';
import { touchedByAppointments } from '@clinic/svc-clinic/contract/lists';
import { seenOf, type Moved } from '../reschedule/move-back.ts';
import { nameOfAppointment } from './name-of-appointment.ts';

/** Changes an appointment's status, notifies the user and reloads the lists. */
export function useStatusChange() {
  const client = useQueryClient();
  return useChange('changeAppointmentStatus', {
    invalidates: touchedByAppointments,
    success: (appointment) => `${nameOfAppointment(appointment)}: ${appointment.status}`,
    // A rejection usually means that somebody else was faster: show the current state.
    onError: () =>
      void Promise.all(touchedByAppointments.map((list) => client.invalidateQueries({ queryKey: [list] }))),
  });
}

/** The request for another status, with the appointment as it is on screen. */
export const statusChange = (
  { _id: id, status, ...visit }: Moved & Pick<Appointment, 'status'>,
  newStatus: AppointmentStatus,
) => ({ params: { id }, body: { newStatus, seen: { ...seenOf(visit), status } } });

/** Undoes changes of the status by staff, all of them or none. @param changed - as the change has left them */
export const takeStatusesBack = (
  changed: readonly Pick<Appointment, '_id' | 'date' | 'time' | 'status'>[],
): Promise<unknown> =>
  api.call('undoStatusChanges', {
    body: { changes: changed.map(({ _id: id, date, time, status }) => ({ id, seen: { date, time, status } })) },
  });
