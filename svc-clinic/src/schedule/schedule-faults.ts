import { addDays, formatDate, minutesOfDay, minutesOfSpan, type FieldError } from '@clinic/contracts';
import { weekdays } from '@clinic/contracts/opening-days';
import { scheduleLimits as limits } from '../contract/limits.ts';
import { plannedSlots, rhythmOn, segmentOf, slotsIn, weeklySegments } from './planned-slots.ts';
import type { ScheduleDraft } from './schedule-of.ts';
import { allTimes } from './working-times.ts';

type Period = ScheduleDraft['periods'][number];

interface Days {
  readonly daysOff: readonly string[];
  readonly exceptions: readonly { readonly date: string }[];
}

/**
 * What is wrong with a schedule beyond the form of its fields.
 *
 * @param today - 'yyyy-mm-dd' in the clinic's time zone
 * @param stored - before the change: days that are already there stay, however late they are
 * @returns errors of its fields, e.g. `periods.0.hours.2.until`; empty if it can be saved
 */
export function scheduleFaults(
  { periods, daysOff, exceptions }: ScheduleDraft,
  today: string,
  stored: Days,
): FieldError[] {
  return [
    ...dayFaults({ daysOff, exceptions }, today, stored),
    ...periods.flatMap((period, index) => periodFaults(period, `periods.${index}`)),
    ...overlappingPeriods(periods),
    ...exceptions.flatMap((exception, index) =>
      exceptionFaults(exception, { periods, exceptions }, `exceptions.${index}`),
    ),
    ...(periods.length > 0 && isEmpty({ periods, exceptions })
      ? [{ field: 'periods', message: 'Add hours to at least one day, or stop taking appointments' }]
      : []),
    ...(periods.length === 0 && exceptions.length > 0
      ? [{ field: 'exceptions', message: 'Add weekly hours before you add exceptions to them' }]
      : []),
  ];
}

/** What is wrong with the number of days off and exceptions and with their dates, whichever call adds them. */
export function dayFaults({ daysOff, exceptions }: Days, today: string, stored: Days): FieldError[] {
  const latest = addDays(today, limits.daysAhead);
  const isTooLate = (date: string): boolean => date > latest;
  const message = `This is too far ahead: the last day can be ${formatDate(latest)}`;
  const known = new Set([...stored.daysOff, ...stored.exceptions.map(({ date }) => date)]);
  return [
    ...(daysOff.length > Math.max(limits.daysOff, stored.daysOff.length)
      ? [{ field: 'daysOff', message: `You can list at most ${limits.daysOff} days off. Take one back first` }]
      : []),
    ...(exceptions.length > Math.max(limits.exceptions, stored.exceptions.length)
      ? [{ field: 'exceptions', message: `You can list at most ${limits.exceptions} exceptions. Remove one first` }]
      : []),
    ...daysOff.flatMap((date, index) =>
      isTooLate(date) && !known.has(date) ? [{ field: `daysOff.${index}`, message }] : [],
    ),
    ...exceptions.flatMap(({ date }, index) =>
      isTooLate(date) && !known.has(date) ? [{ field: `exceptions.${index}.date`, message }] : [],
    ),
  ];
}

/** Spans that don't fit have faults of their own. */
function isEmpty(draft: Pick<ScheduleDraft, 'periods' | 'exceptions'>): boolean {
  const written =
    draft.periods.some(({ hours }) => hours.length > 0) || draft.exceptions.some(({ kind }) => kind === 'extra');
  return !written && allTimes(draft).length === 0;
}

function periodFaults(period: Period, field: string): FieldError[] {
  const { from, until, slotMinutes, hours } = period;
  const faults: FieldError[] = [];
  if (from !== undefined && until !== undefined && until < from)
    faults.push({ field: `${field}.until`, message: 'The last day can’t be before the first' });
  for (const [index, span] of hours.entries()) {
    const at = `${field}.hours.${index}`;
    const fault = spanFault(span, slotMinutes);
    if (fault) faults.push({ field: `${at}.until`, message: fault });
    const overlapped = hours.find(
      (other, otherIndex) => otherIndex !== index && isOverlapped(span, index, other, otherIndex),
    );
    if (overlapped) faults.push({ field: `${at}.from`, message: `These hours overlap others on ${overlapped.day}` });
  }
  for (const day of weekdays) {
    const spans = hours.filter((span) => span.day === day);
    if (spans.length > limits.spansPerDay)
      faults.push({
        field: `${field}.hours`,
        message: `You can list at most ${limits.spansPerDay} spans of hours a day`,
      });
    const times = slotsIn(weeklySegments(period, day), period).length;
    if (times > limits.timesPerDay)
      faults.push({
        field: `${field}.slotMinutes`,
        message: `That makes ${times} appointments on ${day}, and a day can have at most ${limits.timesPerDay}. Make them longer`,
      });
  }
  return faults;
}

/** Whether a span overlaps an earlier one of its day, or runs past midnight into one of the next day. */
function isOverlapped(span: WeeklySpan, index: number, other: WeeklySpan, otherIndex: number): boolean {
  const days = (weekdays.indexOf(other.day) - weekdays.indexOf(span.day) + 7) % 7;
  if (days > 1 || (days === 0 && otherIndex > index)) return false;
  const one = segmentOf(span);
  const two = segmentOf(other);
  const shift = days * minutesOfDay;
  return one.from < two.until + shift && two.from + shift < one.until;
}

type WeeklySpan = Period['hours'][number];

function isReversed(span: { readonly from: string; readonly until: string }): boolean {
  return span.until <= span.from && minutesOfSpan(span) > limits.nightMinutes;
}

function spanFault(
  { from, until }: { readonly from: string; readonly until: string },
  slotMinutes: number,
): string | undefined {
  if (isReversed({ from, until })) return 'The end must be after the start';
  if (minutesOfSpan({ from, until }) < slotMinutes)
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
  exception: ScheduleDraft['exceptions'][number],
  draft: Pick<ScheduleDraft, 'periods' | 'exceptions'>,
  field: string,
): FieldError[] {
  const { kind, from, until, date } = exception;
  if (isReversed({ from, until })) return [{ field: `${field}.until`, message: 'The end must be after the start' }];
  if (kind === 'off' || draft.periods.length === 0) return [];
  const { slotMinutes } = rhythmOn(draft.periods, date);
  if (minutesOfSpan({ from, until }) >= slotMinutes) return [];
  // Shorter ones may make room for one more together with the hours beside them.
  const others = { ...draft, exceptions: draft.exceptions.filter((one) => one !== exception) };
  const count = (hours: typeof others): number =>
    [0, 1].reduce((sum, days) => sum + plannedSlots(hours)(addDays(date, days)).length, 0);
  if (count(draft) > count(others)) return [];
  return [
    {
      field: `${field}.until`,
      message: `The extra hours on ${formatDate(date)} are shorter than one appointment (${slotMinutes} minutes)`,
    },
  ];
}
