import type { FieldError } from '@clinic/contracts';
import { formatDate } from '@clinic/contracts';
import { scheduleLimits as limits } from '@clinic/contracts/limits';
import { weekdays } from '@clinic/contracts/opening-days';
import { slotStarts } from './local-time.ts';
import type { ScheduleDraft } from './schedule-of.ts';
import { allTimes } from './working-times.ts';

type Period = ScheduleDraft['periods'][number];

/**
 * What is wrong with a schedule beyond the form of its fields.
 *
 * @returns errors of its fields, e.g. `periods.0.hours.2.until`; empty if it can be saved
 */
export function scheduleFaults({ periods, exceptions }: ScheduleDraft): FieldError[] {
  return [
    ...periods.flatMap((period, index) => periodFaults(period, `periods.${index}`)),
    ...overlappingPeriods(periods),
    ...exceptions.flatMap((exception, index) => exceptionFaults(exception, periods, `exceptions.${index}`)),
    ...(periods.length > 0 && isEmpty({ periods, exceptions })
      ? [{ field: 'periods', message: 'Add hours to at least one day, or stop taking appointments' }]
      : []),
    ...(periods.length === 0 && exceptions.length > 0
      ? [{ field: 'exceptions', message: 'Add weekly hours before you add exceptions to them' }]
      : []),
  ];
}

/** Spans that don't fit have faults of their own. */
function isEmpty(draft: Pick<ScheduleDraft, 'periods' | 'exceptions'>): boolean {
  const written =
    draft.periods.some(({ hours }) => hours.length > 0) || draft.exceptions.some(({ kind }) => kind === 'extra');
  return !written && allTimes(draft).length === 0;
}

function periodFaults({ from, until, slotMinutes, bufferMinutes, hours }: Period, field: string): FieldError[] {
  const faults: FieldError[] = [];
  if (from !== undefined && until !== undefined && until < from)
    faults.push({ field: `${field}.until`, message: 'The last day can’t be before the first' });
  for (const [index, span] of hours.entries()) {
    const at = `${field}.hours.${index}`;
    const fault = spanFault(span, slotMinutes);
    if (fault) faults.push({ field: `${at}.until`, message: fault });
    const overlapped = hours.some(
      (other, otherIndex) =>
        otherIndex < index && other.day === span.day && other.from < span.until && span.from < other.until,
    );
    if (overlapped) faults.push({ field: `${at}.from`, message: `These hours overlap others on ${span.day}` });
  }
  for (const day of weekdays) {
    const spans = hours.filter((span) => span.day === day);
    if (spans.length > limits.spansPerDay)
      faults.push({
        field: `${field}.hours`,
        message: `You can list at most ${limits.spansPerDay} spans of hours a day`,
      });
    const times = spans.flatMap((span) => slotStarts(span.from, span.until, slotMinutes, bufferMinutes)).length;
    if (times > limits.timesPerDay)
      faults.push({
        field: `${field}.slotMinutes`,
        message: `That makes ${times} appointments on ${day}, and a day can have at most ${limits.timesPerDay}. Make them longer`,
      });
  }
  return faults;
}

function spanFault(
  { from, until }: { readonly from: string; readonly until: string },
  slotMinutes: number,
): string | undefined {
  if (until <= from) return 'The end must be after the start';
  if (slotStarts(from, until, slotMinutes, 0).length === 0)
    return `This is shorter than one appointment (${slotMinutes} ${slotMinutes === 1 ? 'minute' : 'minutes'})`;
  return undefined;
}

function overlappingPeriods(periods: readonly Period[]): FieldError[] {
  return periods.flatMap(({ from = '', until = '9999' }, index) => {
    const earlier = periods.findIndex(
      (other, otherIndex) => otherIndex < index && (other.from ?? '') <= until && from <= (other.until ?? '9999'),
    );
    if (earlier === -1) return [];
    return [
      {
        field: `periods.${index}.from`,
        message: 'This period overlaps another. End that one first, or let this one start later',
      },
    ];
  });
}

function exceptionFaults(
  { kind, from, until, date }: ScheduleDraft['exceptions'][number],
  periods: readonly Period[],
  field: string,
): FieldError[] {
  if (until <= from) return [{ field: `${field}.until`, message: 'The end must be after the start' }];
  if (kind === 'off') return [];
  const shortest = Math.min(...periods.map(({ slotMinutes }) => slotMinutes), 1_440);
  if (periods.length > 0 && slotStarts(from, until, shortest, 0).length === 0)
    return [
      { field: `${field}.until`, message: `The extra hours on ${formatDate(date)} are shorter than one appointment` },
    ];
  return [];
}
