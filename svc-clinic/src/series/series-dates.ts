import type { ClinicMoment, ParsedBody } from '@clinic/contracts';
import { Temporal } from 'temporal-polyfill';

type Plan = Pick<ParsedBody<'previewSeries'>, 'first' | 'every' | 'count'>;

/**
 * The dates of a series on the clinic's clock: 9:00 stays 9:00 when the clocks change. A month without the day gets its
 * last day instead, and later months the original day again.
 */
export function seriesDates({ first: { date, time }, every, count }: Plan): ClinicMoment[] {
  const start = Temporal.PlainDate.from(date);
  return Array.from({ length: count }, (_, index) => ({
    date: start.add({ [every.unit]: every.count * index }).toString(),
    time,
  }));
}

/** Shifts a day by the number of days between two others. @param date - 'yyyy-mm-dd', as all */
export function shifted(date: string, from: string, to: string): string {
  const days = Temporal.PlainDate.from(from).until(to, { largestUnit: 'days' });
  return Temporal.PlainDate.from(date).add(days).toString();
}
