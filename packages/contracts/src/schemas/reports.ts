import { z } from 'zod';
import { maxReportDays } from '../limits.ts';
import { medicineStatuses, orderStatuses } from '../transitions.ts';
import { isoDate, type role } from './fields.ts';

const dayMs = 86_400_000;

/**
 * The days a report is about, 'yyyy-mm-dd' on the clinic's clock, both included. With neither: the 30 days that end today;
 * with one of them: the 30 days that begin or end there.
 */
export const reportPeriod = z
  .object({ from: isoDate('From').optional(), to: isoDate('To').optional() })
  .superRefine(({ from, to }, issues) => {
    if (from === undefined || to === undefined) return;
    const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
    if (days < 1) issues.addIssue({ code: 'custom', path: ['to'], message: 'To is not before From' });
    if (days > maxReportDays) issues.addIssue({ code: 'custom', path: ['to'], message: `A report covers at most ${maxReportDays} days` });
  });

/** The days that a report was made of. */
const period = {
  /** First and last day, 'yyyy-mm-dd'. */
  from: z.string(),
  to: z.string(),
  /** IANA time zone of the clinic, whose days these are. */
  timeZone: z.string(),
};

/** Number of records. */
const count = z.number().int();

/** Appointments by their state. */
const appointmentCounts = { total: count, pending: count, confirmed: count, cancelled: count };

/** What was booked for a period. An appointment counts on its own day, not on the day of its booking. */
export const appointmentReport = z.object({
  ...period,
  totals: z.object({ all: count, pending: count, confirmed: count, cancelled: count }),
  /** Every day of the period in order, also those without appointments. */
  byDay: z.array(z.object({ date: z.string(), ...appointmentCounts })),
  /** By what the doctor's profile says today; most appointments first. */
  bySpecialty: z.array(z.object({ specialty: z.string(), total: count, cancelled: count })),
  /** Doctors with appointments in the period, most appointments first. */
  byDoctor: z.array(z.object({
    /** Of the profile; `null`: there is none any more. */
    id: z.string().nullable(),
    name: z.string(),
    email: z.string(),
    specialty: z.string(),
    ...appointmentCounts,
  })),
  /** `rate`: share of all appointments of the period, 0 to 1; 0 without appointments. */
  cancellations: z.object({ count, rate: z.number() }),
});
export type AppointmentReport = z.output<typeof appointmentReport>;

/** What a day, a medicine or a period brought in: a decimal amount, as in all calls (`toMinor` before computing with it). */
const revenue = z.number();

/** What was ordered in a period. An order counts on the clinic's day on which it was placed, with its present status. */
export const orderReport = z.object({
  ...period,
  totals: z.object({
    orders: count,
    byStatus: z.object(Object.fromEntries(orderStatuses.map((status) => [status, count])) as Record<(typeof orderStatuses)[number], typeof count>),
    /** Of the orders that are not cancelled. */
    revenue,
  }),
  /** Every day of the period in order, also those without orders; `orders` includes the cancelled ones, `revenue` doesn't. */
  byDay: z.array(z.object({ date: z.string(), orders: count, cancelled: count, revenue })),
  /** The ten sold most, by units in orders that are not cancelled; names as in the latest order. */
  topMedicines: z.array(z.object({ medicineId: z.string(), name: z.string(), quantity: count, revenue })),
});
export type OrderReport = z.output<typeof orderReport>;

const stockList = z.object({
  count,
  /** At most `stockReportNames` of them. */
  first: z.array(z.object({
    _id: z.string(),
    medicineId: z.string(),
    name: z.string(),
    /** Units on hand. */
    quantity: z.number(),
    unit: z.string(),
    /** 'yyyy-mm-dd'; sellable up to and including this day. */
    expiryDate: z.string(),
    status: z.enum(medicineStatuses),
  })),
});

/** What needs attention in the inventory now; a medicine may be in several lists. */
export const stockReport = z.object({
  /** The clinic's day that decides what is expired. */
  today: z.string(),
  /** IANA time zone of the clinic. */
  timeZone: z.string(),
  medicines: count,
  /** The least stock first; what is out of stock is not among them. */
  lowStock: stockList,
  /** By name. */
  outOfStock: stockList,
  /** Sellable for at most `nearExpiryDays` more days, the first to expire first. */
  nearExpiry: stockList,
  /** Not sellable any more, the longest expired first. */
  expired: stockList,
});
export type StockReport = z.output<typeof stockReport>;

/** Who has an account, and who came in a period, by the clinic's day of the account's creation. */
export const userReport = z.object({
  ...period,
  /** All accounts, whenever created, also those switched off. */
  total: count,
  byRole: z.object({ admin: count, doctor: count, patient: count, pharmacist: count } satisfies Record<z.output<typeof role>, typeof count>),
  /** Accounts created within the period. */
  created: count,
  /** Every day of the period in order, also those without new accounts. */
  newByDay: z.array(z.object({ date: z.string(), count })),
});
export type UserReport = z.output<typeof userReport>;
