import type { RetentionRule } from '@clinic/service-kit';
import type { ClinicContext } from '../settings.ts';

/** Retention rules of the waitlist: places and offers that have ended. */
export function waitlistRetention({ settings }: Pick<ClinicContext, 'settings'>): readonly RetentionRule[] {
  const keptDays = settings.WAITLIST_KEPT_DAYS;
  return [
    {
      what: 'ended places on the waitlist',
      collection: 'waitlist',
      keptDays,
      over: (before) => [{ endedAt: { $lt: before } }],
    },
    {
      what: 'settled offers',
      collection: 'waitlistOffers',
      keptDays,
      over: (before) => [{ settledAt: { $lt: before } }],
    },
  ];
}
