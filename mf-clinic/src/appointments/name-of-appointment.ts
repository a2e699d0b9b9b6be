import { formatDate, formatTime } from '@clinic/app-kit';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';

type Named = Pick<Appointment, 'patientname' | 'doctorname' | 'date' | 'time' | 'you'>;

/**
 * 'Ann Lee, Tue, Dec 1, 2026 at 9:30 AM': identifies an appointment in labels and messages, by the other person. A
 * patient knows it by the doctor, the doctor and the clinic by the patient.
 */
export function nameOfAppointment(appointment: Named): string {
  return `${otherPerson(appointment)}, ${formatDate(appointment.date)} at ${formatTime(appointment.time)}`;
}

/**
 * The person the reader meets: the doctor, for the appointment's patient. Services of earlier releases don't send the
 * reader's relation.
 */
export function otherPerson({ patientname, doctorname, you }: Omit<Named, 'date' | 'time'>): string {
  return you?.includes('patient') && !you.includes('doctor') ? doctorname : patientname;
}
