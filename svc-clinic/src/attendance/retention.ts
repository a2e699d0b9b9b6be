import { clinicMoment } from '@clinic/contracts';
import type { RetentionRule } from '@clinic/service-kit';
import type { ClinicContext } from '../settings.ts';

/** Days for which the last number of a day is kept; only today's counts on. */
const numbersKeptDays = 7;

/** Retention rule of the waiting room: the numbers of past days. */
export function arrivalRetention({ settings }: Pick<ClinicContext, 'settings'>): readonly RetentionRule[] {
  return [
    {
      what: 'arrival numbers of past days',
      collection: 'arrivalNumbers',
      keptDays: numbersKeptDays,
      over: (before) => [{ _id: { $lt: clinicMoment(before, settings.CLINIC_TZ).date } } as object],
    },
  ];
}
