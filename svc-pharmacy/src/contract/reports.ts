import { z } from 'zod';
import { count, period } from '@clinic/contracts/schemas/report-period';
import { medicineStatuses, orderStatuses } from './transitions.ts';

/**
 * Revenue of a day, a medicine or a period: a decimal amount, as in all calls (use `toMinor` before computing with it).
 */
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
  /**
   * Every day of the period in order, including those without orders; `orders` includes cancelled ones, `revenue`
   * doesn't.
   */
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
