import { addDays } from '@clinic/contracts/clinic-time';

const labels = {
  today: 'Today',
  tomorrow: 'Tomorrow',
  week: 'Next 7 days',
  coming: 'From today',
  past: 'Before today',
} as const;

/** A period as named in the address. */
export type SpanOfDays = keyof typeof labels;

export const spanOptions = [
  { value: '', label: 'All dates' },
  ...Object.entries(labels).map(([value, label]) => ({ value, label })),
];

export function isSpan(value: string): value is SpanOfDays {
  return Object.hasOwn(labels, value);
}

/** First and last day of a period. @param today - 'yyyy-mm-dd' in the clinic's time zone */
export function daysOf(span: SpanOfDays, today: string): { readonly from?: string; readonly until?: string } {
  const tomorrow = addDays(today, 1);
  switch (span) {
    case 'today':
      return { from: today, until: today };
    case 'tomorrow':
      return { from: tomorrow, until: tomorrow };
    case 'week':
      return { from: today, until: addDays(today, 6) };
    case 'coming':
      return { from: today };
    case 'past':
      return { until: addDays(today, -1) };
  }
}
