import type { ClinicMoment } from '@clinic/contracts/clinic-time';

/** Bangla as it is written in Bangladesh. */
export const locale = 'bn-BD';
const shortDay = new Intl.DateTimeFormat(locale, { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' });
const longDay = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' });
const clock = new Intl.DateTimeFormat(locale, {
  hour: 'numeric',
  minute: '2-digit',
  dayPeriod: 'short',
  timeZone: 'UTC',
});

/** Intl's parts by type, to arrange them differently. */
function partsOf(format: Intl.DateTimeFormat, at: string) {
  const parts = format.formatToParts(new Date(at));
  return (type: Intl.DateTimeFormatPartTypes): string => parts.find((one) => one.type === type)?.value ?? '';
}

/**
 * 'সকাল ১০:০০টা', without line breaks: the part of the day goes first, unlike in Intl's order, and night has its
 * everyday name.
 */
function timeOfDay(time: string): string {
  const part = partsOf(clock, `2000-01-01T${time}:00Z`);
  return `${part('dayPeriod').replace('রাত্রি', 'রাত')}\u00a0${part('hour')}:${part('minute')}টা`;
}

/** 'মঙ্গলবার, ১ ডিসেম্বর' */
function weekdayAndDay(date: string): string {
  const part = partsOf(shortDay, `${date}T00:00:00Z`);
  return `${part('weekday')}, ${part('day')} ${part('month')}`;
}

/** 'মঙ্গলবার, ১ ডিসেম্বর, সকাল ১০:০০টা' */
export const shortMoment = ({ date, time }: ClinicMoment): string => `${weekdayAndDay(date)}, ${timeOfDay(time)}`;

/** The same with the year. */
export const longMoment = ({ date, time }: ClinicMoment): string =>
  `${longDay.format(new Date(`${date}T00:00:00Z`))}, ${timeOfDay(time)}`;
