import { hasNoEmail } from '@clinic/contracts/erased-person';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';

/** The patient's age in years, or a dash: the desk may have booked without it. */
export const shownAge = ({ age }: Pick<Appointment, 'age'>): string => (age === 0 ? '–' : String(age));

/** The patient's email address; `undefined` if they have none. */
export const knownEmail = ({ patientemail }: Pick<Appointment, 'patientemail'>): string | undefined =>
  hasNoEmail(patientemail) ? undefined : patientemail;
