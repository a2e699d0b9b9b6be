import { addDays, daysBetween, formatDate } from '@clinic/contracts/clinic-time';
import { startOfWeek } from '@clinic/contracts/opening-days';

/** How long a period one bar stands for. */
export type Grain = 'day' | 'week';

/** A part of a period, drawn as one bar. */
export interface Bucket {
  /** First and last day, 'yyyy-mm-dd', within the period. */
  readonly from: string;
  readonly to: string;
  /** Axis label: 'Nov 2'. */
  readonly label: string;
  /** Full label: 'Mon, Nov 2, 2026', 'Nov 2 – Nov 8, 2026'. */
  readonly name: string;
}

/** A part of a period with its figures. */
export interface Sum<Field extends string> extends Bucket {
  readonly values: Readonly<Record<Field, number>>;
}

/** Longest period with a bar for each day: more bars than that are unreadable on a phone. */
const mostDays = 92;

const asDate = (day: string): Date => new Date(`${day}T00:00:00Z`);
const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' });
const dayOfMonth = format({ month: 'short', day: 'numeric' });
const fullDay = format({ month: 'short', day: 'numeric', year: 'numeric' });

/** Days of a period, first and last included. */
export function lengthOf(from: string, to: string): number {
  return daysBetween(from, to) + 1;
}

export function grainOf(from: string, to: string): Grain {
  return lengthOf(from, to) <= mostDays ? 'day' : 'week';
}

/** The bars of a period; weeks start as everywhere, and the first and last may be shorter. */
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
 * Sums daily figures by bar. Days without a record count as zero.
 *
 * @param days - records with their day, in any order
 * @param fields - the numbers to sum
 */
export function addUp<Field extends string>(
  buckets: readonly Bucket[],
  days: readonly (Readonly<Record<Field, number>> & { readonly date: string })[],
  fields: readonly Field[],
): Sum<Field>[] {
  const sums = buckets.map((bucket) => ({
    ...bucket,
    values: Object.fromEntries(fields.map((field) => [field, 0])) as Record<Field, number>,
  }));
  for (const day of days) {
    const sum = sums.find(({ from, to }) => day.date >= from && day.date <= to);
    if (sum) for (const field of fields) sum.values[field] += day[field];
  }
  return sums;
}

function lastDayOf(day: string, grain: Grain): string {
  return grain === 'day' ? day : addDays(startOfWeek(day), 6);
}

function namesOf(from: string, to: string, grain: Grain): Pick<Bucket, 'label' | 'name'> {
  const [first, last] = [asDate(from), asDate(to)];
  return { label: dayOfMonth.format(first), name: grain === 'day' ? formatDate(from) : range(first, last) };
}

function range(first: Date, last: Date): string {
  return first.getTime() === last.getTime()
    ? fullDay.format(first)
    : `${dayOfMonth.format(first)} – ${fullDay.format(last)}`;
}

function minOf(a: string, b: string): string {
  return a < b ? a : b;
}
