import { hasNoEmail } from '@clinic/contracts/erased-person';
import type { ClinicMoment } from '@clinic/contracts/clinic-time';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { momentInWords } from '../schedule/outside-words.ts';

/** Where an appointment goes; what is left out stays. */
interface Target extends ClinicMoment {
  readonly doctorname?: string;
  readonly minutes?: number;
  readonly place?: string;
}

type Movable = Pick<
  Appointment,
  'date' | 'time' | 'minutes' | 'place' | 'doctorname' | 'patientemail' | 'patientname' | 'number'
>;

/** What the patient is told about a move, in a sentence. */
export function toldOfMove(appointment: Movable, to: Target): string {
  if (hasNoEmail(appointment.patientemail))
    return `${appointment.patientname} has no email address: call ${appointment.number || 'them'}.`;
  const place = (to.place ?? appointment.place) || 'the clinic';
  const rows = [
    ['', momentInWords(to), momentInWords(appointment)],
    ['with ', to.doctorname ?? appointment.doctorname, appointment.doctorname],
    ['at ', place, appointment.place || 'the clinic'],
    ['for ', `${to.minutes ?? appointment.minutes} minutes`, `${appointment.minutes} minutes`],
  ] as const;
  const changed = rows.filter(([, now, before]) => now !== before);
  if (changed.length === 0) return 'Nothing changes for the patient.';
  return `The patient gets a message: ${changed.map(([lead, now, before]) => `${lead}${now} instead of ${before}`).join(', ')}.`;
}
