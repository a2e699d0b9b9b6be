import { addDays, formatDate } from '@clinic/contracts/clinic-time';

/** What one bar stands for. */
export type Grain = 'day' | 'week' | 'month';

/** A piece of a span of days, drawn as one bar. */
export interface Bucket {
  /** First and last day, 'yyyy-mm-dd'; only of days within the span. */
  readonly from: string;
  readonly to: string;
  /** On the axis: 'Nov 2', 'Nov'. */
  readonly label: string;
  /** In words: 'Mon, Nov 2, 2026', 'Nov 2 – Nov 8, 2026', 'November 2026'. */
  readonly name: string;
}

/** Most days that are drawn one by one, and most that are drawn in weeks: more bars than that are no bars on a phone. */
const mostDays = 92;
const mostInWeeks = 371;

const dayMs = 86_400_000;
const asDate = (day: string): Date => new Date(`${day}T00:00:00Z`);
const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' });
const dayOfMonth = format({ month: 'short', day: 'numeric' });
const fullDay = format({ month: 'short', day: 'numeric', year: 'numeric' });
const shortMonth = format({ month: 'short', year: '2-digit' });
const longMonth = format({ month: 'long', year: 'numeric' });

/** Days of a span, first and last counted in. */
export function lengthOf(from: string, to: string): number {
  return Math.round((asDate(to).getTime() - asDate(from).getTime()) / dayMs) + 1;
}

export function grainOf(from: string, to: string): Grain {
  const days = lengthOf(from, to);
  return days <= mostDays ? 'day' : days <= mostInWeeks ? 'week' : 'month';
}

/** The bars of a span of days; weeks begin on Monday (ISO 8601), and the first and the last may be shorter. */
export function bucketsOf(from: string, to: string, grain: Grain = grainOf(from, to)): Bucket[] {
  const buckets: Bucket[] = [];
  for (let first = from; first <= to;) {
    const last = minOf(lastDayOf(first, grain), to);
    buckets.push({ from: first, to: last, ...namesOf(first, last, grain) });
    first = addDays(last, 1);
  }
  return buckets;
}

/**
 * What happened in each bar, added up from what is known by day. Days without a record count as nothing.
 *
 * @param days - records with the day they are about, in any order
 * @param fields - the numbers to add up
 */
export function addUp<Field extends string>(buckets: readonly Bucket[], days: readonly (Readonly<Record<Field, number>> & { readonly date: string })[], fields: readonly Field[]): Record<Field, number>[] {
  const sums = buckets.map(() => Object.fromEntries(fields.map((field) => [field, 0])) as Record<Field, number>);
  for (const day of days) {
    const sum = sums[buckets.findIndex(({ from, to }) => day.date >= from && day.date <= to)];
    if (sum) for (const field of fields) sum[field] += day[field];
  }
  return sums;
}

function lastDayOf(day: string, grain: Grain): string {
  if (grain === 'day') return day;
  const date = asDate(day);
  if (grain === 'week') return addDays(day, (7 - date.getUTCDay()) % 7);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).toISOString().slice(0, 10);
}

function namesOf(from: string, to: string, grain: Grain): Pick<Bucket, 'label' | 'name'> {
  const [first, last] = [asDate(from), asDate(to)];
  if (grain === 'day') return { label: dayOfMonth.format(first), name: formatDate(from) };
  const whole = lastDayOf(from, grain) === to && (grain === 'week' || from.endsWith('-01'));
  if (grain === 'month') return { label: shortMonth.format(first), name: whole ? longMonth.format(first) : range(first, last) };
  return { label: dayOfMonth.format(first), name: range(first, last) };
}

function range(first: Date, last: Date): string {
  return first.getTime() === last.getTime() ? fullDay.format(first) : `${dayOfMonth.format(first)} – ${fullDay.format(last)}`;
}

function minOf(a: string, b: string): string {
  return a < b ? a : b;
}
