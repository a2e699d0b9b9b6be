import { z } from 'zod';
import { maxReportDays } from '../limits.ts';
import { medicineStatuses, orderStatuses } from '../transitions.ts';
import { isoDate, type role } from './fields.ts';

const dayMs = 86_400_000;

/**
 * The days of a report, 'yyyy-mm-dd' on the clinic's clock, inclusive. With neither: the 30 days up to today; with one of
 * them: the 30 days that start or end there.
 */
export const reportPeriod = z
  .object({ from: isoDate('From').optional(), to: isoDate('To').optional() })
  .superRefine(({ from, to }, issues) => {
    if (from === undefined || to === undefined) return;
    const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
    if (days < 1) issues.addIssue({ code: 'custom', path: ['to'], message: 'To can’t be before From' });
    if (days > maxReportDays)
      issues.addIssue({ code: 'custom', path: ['to'], message: `A report can cover at most ${maxReportDays} days` });
  });

/** The period a report covers. */
const period = {
  /** First and last day, 'yyyy-mm-dd'. */
  from: z.string(),
  to: z.string(),
  /** IANA time zone of the clinic, in which the days are counted. */
  timeZone: z.string(),
};

/** Number of records. */
const count = z.number().int();

/** Appointments by status. */
const appointmentCounts = { total: count, pending: count, confirmed: count, cancelled: count };

/** Appointments in a period. An appointment counts on its own day, not on the day it was booked. */
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
  /** `rate`: share of all appointments in the period, 0 to 1; 0 without appointments. */
  cancellations: z.object({ count, rate: z.number() }),
});
export type AppointmentReport = z.output<typeof appointmentReport>;

/** Revenue of a day, a medicine or a period: a decimal amount, as in all calls (use `toMinor` before computing with it). */
const revenue = z.number();

/** Orders in a period. An order counts on the clinic's day on which it was placed, with its current status. */
export const orderReport = z.object({
  ...period,
  totals: z.object({
    orders: count,
    byStatus: z.object(
      Object.fromEntries(orderStatuses.map((status) => [status, count])) as Record<
        (typeof orderStatuses)[number],
        typeof count
      >,
    ),
    /** Of orders that aren't cancelled. */
    revenue,
  }),
  /** Every day of the period in order, including those without orders; `orders` includes cancelled ones, `revenue` doesn't. */
  byDay: z.array(z.object({ date: z.string(), orders: count, cancelled: count, revenue })),
  /** The ten best sellers by units in orders that aren't cancelled; names as in the latest order. */
  topMedicines: z.array(z.object({ medicineId: z.string(), name: z.string(), quantity: count, revenue })),
});
export type OrderReport = z.output<typeof orderReport>;

const stockList = z.object({
  count,
  /** At most `stockReportNames` of them. */
  first: z.array(
    z.object({
      _id: z.string(),
      medicineId: z.string(),
      name: z.string(),
      /** Units in stock. */
      quantity: z.number(),
      unit: z.string(),
      /** 'yyyy-mm-dd'; can be sold up to and including this day. */
      expiryDate: z.string(),
      status: z.enum(medicineStatuses),
    }),
  ),
});

/** What needs attention in the inventory now; one medicine may be in several lists. */
export const stockReport = z.object({
  /** The clinic's current day, which decides what has expired. */
  today: z.string(),
  /** IANA time zone of the clinic. */
  timeZone: z.string(),
  medicines: count,
  /** Lowest stock first; medicines that are out of stock aren't included. */
  lowStock: stockList,
  /** By name. */
  outOfStock: stockList,
  /** Can be sold for at most `nearExpiryDays` more days, earliest expiry first. */
  nearExpiry: stockList,
  /** Expired, longest ago first. */
  expired: stockList,
});
export type StockReport = z.output<typeof stockReport>;

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
