import { z } from 'zod';
import { count, period } from '@clinic/contracts/schemas/report-period';

/** Appointments by status. */
const appointmentCounts = { total: count, pending: count, confirmed: count, cancelled: count };

/** Appointments in a period. An appointment counts on the day it takes place, not the day it was booked. */
export const appointmentReport = z.object({
  ...period,
  totals: z.object({ all: count, pending: count, confirmed: count, cancelled: count }),
  /** Every day of the period in order, including those without appointments. */
  byDay: z.array(z.object({ date: z.string(), ...appointmentCounts })),
  /** By the specialization in the doctor's profile today; most appointments first. */
  bySpecialty: z.array(z.object({ specialty: z.string(), total: count, cancelled: count })),
  /** Doctors with appointments in the period, most appointments first. */
  byDoctor: z.array(
    z.object({
      /** From the profile; `null` if it no longer exists. */
      id: z.string().nullable(),
      name: z.string(),
      email: z.string(),
      specialty: z.string(),
      ...appointmentCounts,
    }),
  ),
  /**
   * Visits whose patients were seen by the doctor or didn't come, as far as that was noted, and minutes from arrival to the
   * doctor; services of earlier releases omit it.
   */
  attendance: z
    .object({
      seen: count,
      missed: count,
      waiting: z.object({ median: z.number(), ninetieth: z.number() }).optional(),
    })
    .optional(),
  /** Walk-ins that weren't cancelled; services of earlier releases omit it. */
  walkIns: count.optional(),
  /** `rate`: share of all appointments in the period, 0 to 1; 0 without appointments. */
  cancellations: z.object({ count, rate: z.number() }),
});
export type AppointmentReport = z.output<typeof appointmentReport>;
