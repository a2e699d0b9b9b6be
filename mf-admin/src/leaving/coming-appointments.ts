import { api, clinicMoment } from '@clinic/app-kit';
import type { Appointment } from '@clinic/contracts';
import { appointmentTransitions, isFinal } from '@clinic/contracts/transitions';

/**
 * The appointments that a doctor still has to keep, the next first.
 *
 * @param email - the doctor's, lower case
 * @param timeZone - the clinic's, IANA name
 * @throws ApiProblem
 */
export async function comingAppointments(email: string, timeZone: string): Promise<readonly Appointment[]> {
  const { date: today, time: now } = clinicMoment(new Date(), timeZone);
  const coming: Appointment[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.page('listAppointments', { query: { email, from: today, sort: 'date', limit: 200, cursor } });
    // They may be a patient, too; and what was today is over.
    coming.push(...page.rows.filter((one) => one.doctoremail === email && !isFinal(appointmentTransitions, one.status) && (one.date > today || one.time > now)));
    cursor = page.next;
  } while (cursor !== undefined);
  return coming;
}
