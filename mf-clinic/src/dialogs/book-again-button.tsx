import { api, notify, useNavigate } from '@clinic/app-kit';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { Button } from '@clinic/ui';
import { useState } from 'react';
import { nameOfAppointment } from '../appointments/name-of-appointment.ts';

/** Opens the booking form of the same doctor; the directory, if they no longer work here. */
export function BookAgainButton({ appointment }: { readonly appointment: Appointment }) {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);

  async function open(): Promise<void> {
    setBusy(true);
    try {
      const found = await api.call('listDoctors', { query: { email: appointment.doctoremail, limit: 1 } });
      const doctor = Array.isArray(found) ? found[0] : found;
      if (!doctor) notify.info(`${appointment.doctorname} no longer works here`, 'Choose another doctor.');
      await navigate(doctor ? `/appoinment/${doctor._id}` : '/ourDoctors');
    } catch (error) {
      notify.error(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button
      size="sm"
      variant="soft"
      icon="refresh"
      aria-label={`Book again: ${nameOfAppointment(appointment)}`}
      busy={busy}
      onClick={() => void open()}
    >
      Book again
    </Button>
  );
}
