import { addDays, clinicInstant, clinicMoment } from '@clinic/contracts';
import type { Document } from 'mongodb';

/** Default length of a report in days. */
const usualDays = 30;

/** The days a report covers, in the clinic's time zone. */
export interface ReportPeriod {
  /** First and last day, 'yyyy-mm-dd', inclusive. */
  readonly from: string;
  readonly to: string;
  /** IANA name. */
  readonly timeZone: string;
}

/** The days that a client requests; validated by the contract. */
export interface AskedPeriod {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * The requested period: without days, the 30 days up to today; with only one of them, the 30 that start or end there.
 *
 * @param timeZone - the clinic's, IANA name
 */
export function reportPeriod({ from, to }: AskedPeriod, timeZone: string, now = new Date()): ReportPeriod {
  if (from !== undefined) return { from, to: to ?? addDays(from, usualDays - 1), timeZone };
  const last = to ?? clinicMoment(now, timeZone).date;
  return { from: addDays(last, 1 - usualDays), to: last, timeZone };
}

/** Every day of a period in order, 'yyyy-mm-dd'. */
export function daysOf({ from, to }: Pick<ReportPeriod, 'from' | 'to'>): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

/** A period in parts of a few days, in order: a command that reads a whole one would block the embedded engine for seconds. */
export function partsOf({ from, to, timeZone }: ReportPeriod, days: number): ReportPeriod[] {
  const parts: ReportPeriod[] = [];
  for (let first = from; first <= to; first = addDays(first, days)) {
    const last = addDays(first, days - 1);
    parts.push({ from: first, to: last < to ? last : to, timeZone });
  }
  return parts;
}

/** Condition for a period's instants: from the start of its first day to the end of its last. */
export function instantsOf({ from, to, timeZone }: ReportPeriod): { $gte: Date; $lt: Date } {
  return { $gte: dayStart(from, timeZone), $lt: dayStart(addDays(to, 1), timeZone) };
}

/**
 * Aggregation expression for the clinic's day of an instant within a period: a binary search over the starts of its
 * days. It is correct across clock changes, and needs no time zones in the database.
 *
 * @param field - path of the instant, e.g. `$createdAt`
 */
export function dayExpression(field: string, period: ReportPeriod): Document | string {
  const search = (days: readonly string[]): Document | string => {
    const [only = '', ...others] = days;
    if (others.length === 0) return only;
    const middle = Math.ceil(days.length / 2);
    const boundary = dayStart(days[middle] ?? only, period.timeZone);
    return { $cond: [{ $lt: [field, boundary] }, search(days.slice(0, middle)), search(days.slice(middle))] };
  };
  return search(daysOf(period));
}

function dayStart(date: string, timeZone: string): Date {
  return clinicInstant({ date, time: '00:00' }, timeZone);
}
