import { clinicMoment } from '@clinic/contracts';
import { rejected } from '@clinic/service-kit';
import type { IdentityContext } from '../settings.ts';

/**
 * Rejects a date of birth after today at the clinic.
 *
 * @param dateOfBirth - 'yyyy-mm-dd'; a missing one is accepted
 * @throws ProblemError validation_failed
 */
export function rejectLaterBirth({ settings }: Pick<IdentityContext, 'settings'>, dateOfBirth = ''): void {
  if (dateOfBirth <= clinicMoment(new Date(), settings.CLINIC_TZ).date) return;
  const message = 'Date of birth can’t be in the future';
  throw rejected('dateOfBirth', message, { detail: `${message}.` });
}
