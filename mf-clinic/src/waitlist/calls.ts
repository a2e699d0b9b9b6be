import { addCalls } from '@clinic/app-kit';
import type { WaitlistPart } from '@clinic/svc-clinic/contract/limits';
import { waitlistCalls, type WaitlistEntry } from '@clinic/svc-clinic/contract/waitlist-calls';

// The table of all pages doesn’t have them.
addCalls(waitlistCalls);

/** The parts of a day as the screens name them. */
export const partLabels: Readonly<Record<WaitlistPart, string>> = {
  morning: 'Mornings (before 12:00 PM)',
  afternoon: 'Afternoons (12:00 PM to 5:00 PM)',
  evening: 'Evenings (from 5:00 PM)',
};

/** Who or what somebody waits for. */
export function whatFor({ doctorname, specialty, appointment }: WaitlistEntry): string {
  const whom = doctorname ?? `Any doctor, ${specialty ?? ''}`;
  return appointment ? `${whom}: an earlier time` : whom;
}
