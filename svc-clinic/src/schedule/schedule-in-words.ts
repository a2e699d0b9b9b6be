import { endOfDay, formatDate, formatTime } from '@clinic/contracts';
import { week, type Weekday } from '@clinic/contracts/opening-days';
import type { ExceptionRecord, PeriodRecord } from './hours-record.ts';

/** A period's hours for the history, e.g. 'Mon to Fri 9:00 AM to 12:00 PM'. One text for each group of equal days. */
export function periodInWords({ from, until, slotMinutes, bufferMinutes, hours }: PeriodRecord): string[] {
  const ofDay = (day: Weekday): string =>
    hours
      .filter((span) => span.day === day)
      .map((span) => `${spanInWords(span)}${span.place && ` (${span.place})`}`)
      .join(' and ');
  const groups: { days: Weekday[]; text: string }[] = [];
  for (const day of week) {
    const text = ofDay(day);
    const last = groups.at(-1);
    if (last?.text === text) last.days.push(day);
    else groups.push({ days: [day], text });
  }
  const days = groups.filter(({ text }) => text !== '').map((group) => `${daysInWords(group.days)} ${group.text}`);
  const lengths = `${slotMinutes}-minute appointments${bufferMinutes > 0 ? ` with ${bufferMinutes} minutes between` : ''}`;
  const bounds = [from && `from ${formatDate(from)}`, until && `until ${formatDate(until)}`].filter(Boolean).join(' ');
  return [...(bounds ? [bounds] : []), ...(days.length > 0 ? days : ['no weekly hours']), lengths];
}

function daysInWords(days: readonly Weekday[]): string {
  const [first = '', last = ''] = [days[0]?.slice(0, 3), days.at(-1)?.slice(0, 3)];
  if (days.length === 7) return 'every day';
  return days.length === 1 ? first : `${first} to ${last}`;
}

/** e.g. 'extra hours on Tue, Dec 1, 2026, 2:00 PM to 4:00 PM'. */
export function exceptionInWords({ date, kind, place, ...span }: ExceptionRecord): string {
  const what = kind === 'extra' ? 'extra hours on' : 'off on';
  return `${what} ${formatDate(date)}, ${spanInWords(span)}${place && ` (${place})`}`;
}

function spanInWords({ from, until }: { readonly from: string; readonly until: string }): string {
  return `${formatTime(from)} to ${until === endOfDay ? 'midnight' : formatTime(until)}`;
}
