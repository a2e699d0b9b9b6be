import { z } from 'zod';
import type { role } from '@clinic/contracts/schemas/fields';
import { count, period } from '@clinic/contracts/schemas/report-period';

/** Accounts, in all and new in a period, by the clinic's day on which they were created. */
export const userReport = z.object({
  ...period,
  /** All accounts, whenever created, including those switched off. */
  total: count,
  byRole: z.object({ admin: count, doctor: count, patient: count, pharmacist: count } satisfies Record<
    z.output<typeof role>,
    typeof count
  >),
  /** Accounts created in the period. */
  created: count,
  /** Every day of the period in order, including those without new accounts. */
  newByDay: z.array(z.object({ date: z.string(), count })),
});
export type UserReport = z.output<typeof userReport>;
