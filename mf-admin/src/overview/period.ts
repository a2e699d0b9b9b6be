import { addDays } from '@clinic/app-kit';
import { maxReportDays } from '@clinic/contracts/limits';

/** Names of periods in the address; the default is 30 days. */
export const periodNames = ['7', '30', '90', 'year', 'own'] as const;
export type PeriodName = (typeof periodNames)[number];

export const periodLabels: Readonly<Record<PeriodName, string>> = {
  7: '7 days',
  30: '30 days',
  90: '90 days',
  year: 'This year',
  own: 'Custom',
};

/** Days, 'yyyy-mm-dd' on the clinic's clock, inclusive. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

export interface Period extends Span {
  readonly name: PeriodName;
}

/**
 * The period in an address: `?period=90`, or `?period=own&from=2026-11-01&to=2026-11-21`. Anything invalid is the default.
 *
 * @param today - the clinic's date
 */
export function periodOf(search: URLSearchParams, today: string): Period {
  const name = search.get('period') ?? '30';
  if (name === 'year') return { name, from: `${today.slice(0, 4)}-01-01`, to: today };
  if (name === 'own') {
    const span = { from: search.get('from') ?? '', to: search.get('to') ?? '' };
    if (spanTrouble(span) === undefined) return { name, ...span };
  }
  const days = name === '7' || name === '90' ? name : '30';
  return { name: days, from: addDays(today, 1 - Number(days)), to: today };
}

/** The same address with another period. */
export function withPeriod(search: URLSearchParams, name: PeriodName, span: Span): URLSearchParams {
  const changed = new URLSearchParams(search);
  for (const key of ['period', 'from', 'to']) changed.delete(key);
  if (name !== '30') changed.set('period', name);
  if (name === 'own') {
    changed.set('from', span.from);
    changed.set('to', span.to);
  }
  return changed;
}

/** Why there is no report for these days; the services have the same rules. */
export function spanTrouble({ from, to }: Span): string | undefined {
  if (!isDay(from) || !isDay(to)) return 'Choose the first and the last day';
  if (to < from) return 'The last day is before the first';
  if (addDays(from, maxReportDays - 1) < to) return `Choose at most ${maxReportDays} days`;
  return undefined;
}

function isDay(text: string): boolean {
  return /^2\d{3}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text;
}
