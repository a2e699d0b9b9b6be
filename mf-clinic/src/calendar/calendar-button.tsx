import { api, notify, type ApiProblem } from '@clinic/app-kit';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { saveFile } from '@clinic/ui/save-file';
import { useState } from 'react';
import { ActionButton } from '../action-button.tsx';
import { nameOfAppointment } from '../appointments/name-of-appointment.ts';

/** Downloads an appointment as a calendar file. */
export function CalendarButton({ appointment }: { readonly appointment: Appointment }) {
  const [busy, setBusy] = useState(false);
  const title = `Add to calendar: ${nameOfAppointment(appointment)}`;

  async function save(): Promise<void> {
    setBusy(true);
    try {
      // Not a plain link, because the session may need a refresh first.
      const text = await api.call('getAppointmentCalendar', { params: { id: appointment._id } });
      saveFile(text, `appointment-${appointment.date}.ics`, 'text/calendar');
    } catch (error) {
      notify.error((error as ApiProblem).message);
    } finally {
      setBusy(false);
    }
  }

  return <ActionButton icon="calendar" text="Add to calendar" label={title} busy={busy} onClick={() => void save()} />;
}
