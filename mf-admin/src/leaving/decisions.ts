import { api } from '@clinic/app-kit';
import type { PatientChoice } from '@clinic/svc-clinic/contract/limits';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';

/** What should happen to one appointment of a leaving doctor. */
export interface Decision {
  readonly act: '' | 'move' | 'cancel';
  /** Email address of the colleague who takes over. */
  readonly doctor: string;
  /** 'yyyy-mm-dd' and 'HH:mm' in the clinic's time zone. */
  readonly date: string;
  readonly time: string;
  /** The patient's answer. */
  readonly choice: PatientChoice;
  /** The patient keeps another appointment at that time as well. */
  readonly alsoThen?: boolean;
}

/** Undecided; a move keeps date and time by default. */
export const undecided = ({ date, time }: Appointment): Decision => ({
  act: '',
  doctor: '',
  date,
  time,
  choice: 'not asked',
});

/** @returns what a decision still lacks, as a sentence */
export function missingOf({ act, doctor, date, time }: Decision): string | undefined {
  if (act === '') return 'Choose what to do with this appointment';
  if (act === 'cancel') return undefined;
  if (doctor === '') return 'Choose a colleague';
  return date === '' || time === '' ? 'Choose date and time' : undefined;
}

/** Carries out a decision. @throws ApiProblem */
export async function carryOut(
  { _id, doctoremail, date: seenDate, time: seenTime, status }: Appointment,
  { act, doctor, date, time, choice, alsoThen }: Decision,
): Promise<void> {
  const params = { id: _id };
  const seen = { doctoremail, date: seenDate, time: seenTime };
  if (act === 'cancel')
    await api.call('changeAppointmentStatus', {
      params,
      body: { newStatus: 'Cancelled', patientChoice: choice, seen: { ...seen, status } },
    });
  else
    await api.call('moveToColleague', {
      params,
      body: { doctoremail: doctor, date, time, patientChoice: choice, seen, ...(alsoThen && { alsoThen }) },
    });
}
