import { z } from 'zod';
import { daysBetween } from '../clinic-time.ts';
import { maxReportDays } from '../limits.ts';
import { isoDate } from './fields.ts';

/**
 * The days of a report, 'yyyy-mm-dd' on the clinic's clock, inclusive. With neither: the 30 days up to today; with one
 * of them: the 30 days that start or end there.
 */
export const reportPeriod = z
  .object({ from: isoDate('From').optional(), to: isoDate('To').optional() })
  .superRefine(({ from, to }, issues) => {
    if (from === undefined || to === undefined) return;
    const days = daysBetween(from, to) + 1;
    if (days < 1) issues.addIssue({ code: 'custom', path: ['to'], message: 'To can’t be before From' });
    if (days > maxReportDays)
      issues.addIssue({ code: 'custom', path: ['to'], message: `A report can cover at most ${maxReportDays} days` });
  });

/** The period a report covers. */
export const period = {
  /** First and last day, 'yyyy-mm-dd'. */
  from: z.string(),
  to: z.string(),
  /** IANA time zone of the clinic, in which the days are counted. */
  timeZone: z.string(),
};

/** Number of records. */
export const count = z.number().int();
