import { api } from '@clinic/app-kit';
import type { Appointment, PatientChoice } from '@clinic/contracts';

/** What becomes of one appointment of a doctor who leaves. */
export interface Decision {
  readonly act: '' | 'move' | 'cancel';
  /** The colleague's e-mail. */
  readonly doctor: string;
  /** 'yyyy-mm-dd' and 'HH:mm' in the clinic's time zone. */
  readonly date: string;
  readonly time: string;
  /** What the patient said to it. */
  readonly choice: PatientChoice;
}

/** Undecided; a move keeps date and time unless told. */
export const undecided = ({ date, time }: Appointment): Decision => ({ act: '', doctor: '', date, time, choice: 'not asked' });

/** @returns what is missing of a decision, as a sentence */
export function missingOf({ act, doctor, date, time }: Decision): string | undefined {
  if (act === '') return 'Say what happens with this appointment';
  if (act === 'cancel') return undefined;
  if (doctor === '') return 'Choose a colleague';
  return date === '' || time === '' ? 'Choose date and time' : undefined;
}

/** Does what was decided. @throws ApiProblem */
export async function carryOut({ _id }: Appointment, { act, doctor, date, time, choice }: Decision): Promise<void> {
  const params = { id: _id };
  if (act === 'cancel') await api.call('changeAppointmentStatus', { params, body: { newStatus: 'Cancelled', patientChoice: choice } });
  else await api.call('moveToColleague', { params, body: { doctoremail: doctor, date, time, patientChoice: choice } });
}
