import { clinicMoment } from '@clinic/contracts';
import type { RetentionRule } from '@clinic/service-kit';
import type { ClinicContext } from '../settings.ts';

/** Days for which numbers and codes of a day are kept; only today's count. */
const keptDays = 7;

/** Retention rules of arrivals: both begin their ids with the day. */
export function arrivalRetention({ settings }: Pick<ClinicContext, 'settings'>): readonly RetentionRule[] {
  return ['arrivalNumbers', 'arrivalCodes'].map((collection) => ({
    what: `${collection} of past days`,
    collection,
    keptDays,
    over: (before) => [{ _id: { $lt: clinicMoment(before, settings.CLINIC_TZ).date } } as object],
  }));
}
