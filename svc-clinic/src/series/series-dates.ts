import { addDays, addMonths, daysBetween, type ClinicMoment, type ParsedBody } from '@clinic/contracts';

type Plan = Pick<ParsedBody<'previewSeries'>, 'first' | 'every' | 'count'>;

/**
 * The dates of a series on the clinic's clock: 9:00 stays 9:00 when the clocks change. A month without the day gets its
 * last day instead, and later months the original day again.
 */
export function seriesDates({ first: { date, time }, every, count }: Plan): ClinicMoment[] {
  const daysOf = { days: 1, weeks: 7 };
  return Array.from({ length: count }, (_, index) => {
    const steps = every.count * index;
    return { date: every.unit === 'months' ? addMonths(date, steps) : addDays(date, steps * daysOf[every.unit]), time };
  });
}

/** Shifts a day by the number of days between two others. @param date - 'yyyy-mm-dd', as all */
export function shifted(date: string, from: string, to: string): string {
  return addDays(date, daysBetween(from, to));
}
