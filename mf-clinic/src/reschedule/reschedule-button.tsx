import { useSession } from '@clinic/app-kit';
import type { Appointment } from '@clinic/contracts';
import { lazy, Suspense, useState } from 'react';
import { ActionButton } from '../action-button.tsx';
import { actorsFor, mayMove } from '../appointments/may-change.ts';
import { nameOfAppointment } from '../appointments/name-of-appointment.ts';

// Most who look at a list move nothing: the calendar comes when it is asked for.
const RescheduleDialog = lazy(async () => ({ default: (await import('./reschedule-dialog.tsx')).RescheduleDialog }));

/** Opens the choice of another slot, for those who may move the appointment. */
export function RescheduleButton({ appointment }: { readonly appointment: Appointment }) {
  const { user, role } = useSession();
  const [open, setOpen] = useState(false);
  if (!mayMove(appointment, actorsFor(appointment, user?.email, role))) return null;
  const title = `Reschedule: ${nameOfAppointment(appointment)}`;
  return (
    <>
      <ActionButton icon="edit" text="Reschedule" label={title} onClick={() => setOpen(true)} />
      {open && <Suspense><RescheduleDialog appointment={appointment} onClose={() => setOpen(false)} /></Suspense>}
    </>
  );
}
