import { api, notify, type ApiProblem } from '@clinic/app-kit';
import type { Appointment } from '@clinic/contracts';
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
      saveFile(`appointment-${appointment.date}.ics`, new Blob([text], { type: 'text/calendar;charset=utf-8' }));
    } catch (error) {
      notify.error((error as ApiProblem).message);
    } finally {
      setBusy(false);
    }
  }

  return <ActionButton icon="calendar" text="Calendar" label={title} busy={busy} onClick={() => void save()} />;
}

function saveFile(name: string, file: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // Safari reads the file only after this task.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
