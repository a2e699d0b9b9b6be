import { api, clinicMoment } from '@clinic/app-kit';
import type { User } from '@clinic/contracts';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { isFinal } from '@clinic/contracts/transitions';
import { appointmentTransitions } from '@clinic/svc-clinic/contract/transitions';

export type Account = Pick<User, '_id' | 'email'>;

/** Asks for an account's profiles, also once its address is somebody else's. */
export const profilesOf = ({ _id, email }: Account) => ({ params: { email }, query: { account: _id } }) as const;

/**
 * A doctor's upcoming appointments, next first.
 *
 * @param doctor - their account; their appointments are with the profile, which may have another address
 * @param timeZone - the clinic's, IANA name
 * @throws ApiProblem
 */
export async function comingAppointments(doctor: Account, timeZone: string): Promise<readonly Appointment[]> {
  const { date: today, time: now } = clinicMoment(new Date(), timeZone);
  const profiles = await api.call('getProfiles', profilesOf(doctor));
  const coming = (await Promise.all(profiles.map((profile) => appointmentsFrom(today, profile.email)))).flat();
  // Earlier today counts as past.
  return coming
    .filter(({ status, date, time }) => !isFinal(appointmentTransitions, status) && (date > today || time > now))
    .toSorted((a, b) => `${a.date} ${a.time}`.localeCompare(`${b.date} ${b.time}`));
}

async function appointmentsFrom(today: string, doctoremail: string): Promise<readonly Appointment[]> {
  const found: Appointment[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.page('listAppointments', {
      query: { email: doctoremail, from: today, sort: 'date', limit: 200, cursor },
    });
    // The address may also be a patient's.
    found.push(...page.rows.filter((one) => one.doctoremail === doctoremail));
    cursor = page.next;
  } while (cursor !== undefined);
  return found;
}

/** Milliseconds between two polls, and in total: svc-clinic is notified of a changed role within a second. */
const [askEvery, askFor] = [300, 5_000];

/**
 * Waits until the directory no longer offers a doctor whose role was just taken away: until then somebody can still book
 * them. Gives up silently after five seconds, as the appointments are listed in any case.
 *
 * @throws ApiProblem
 */
export async function notBookable(doctor: Account): Promise<void> {
  const until = Date.now() + askFor;
  for (;;) {
    const profiles = await api.call('getProfiles', profilesOf(doctor));
    if (profiles.every(({ isAvailable }) => !isAvailable) || Date.now() >= until) return;
    await new Promise((resolve) => {
      setTimeout(resolve, askEvery);
    });
  }
}
