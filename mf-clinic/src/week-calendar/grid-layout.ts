import { formatTime } from '@clinic/app-kit';
import { endOfDay, minuteOf, minutesOfDay, timeOf } from '@clinic/contracts/clinic-time';
import type { CalendarAppointment, CalendarDay, CalendarDoctor } from '@clinic/svc-clinic/contract/calendar-calls';

/** A column of the calendar: a doctor's day. */
export interface DayColumn {
  readonly key: string;
  readonly doctor: CalendarDoctor;
  readonly day: CalendarDay;
  /** Earliest first. */
  readonly appointments: readonly CalendarAppointment[];
}

/** A time at which an appointment can be put, or that can be blocked. */
export interface OpenSlot {
  readonly time: string;
  readonly until: string;
}

/** '9:00 AM'; midnight at the end of a day is '12:00 AM'. */
export const shownTime = (time: string): string => formatTime(time === '24:00' ? '00:00' : time);

/** '9:00 – 9:30 AM' */
export function shownSpan(from: string, until: string): string {
  const [start, end] = [shownTime(from), shownTime(until)];
  const [, half] = end.split(' ');
  return `${half !== undefined && start.endsWith(half) ? start.slice(0, -half.length - 1) : start} – ${end}`;
}

/** Minutes between the times offered by a doctor who lists none. */
const anyTimeStep = 30;

/** The free times of a column, in order. Doctors who list none can be asked for any time that isn't taken. */
export function openSlots(
  { doctor, day, appointments }: DayColumn,
  range: Range,
  now: { readonly date: string; readonly time: string },
): OpenSlot[] {
  if (!doctor.anyTime) return day.slots.filter(({ free }) => free);
  if (day.closed || day.date < now.date) return [];
  const slots: OpenSlot[] = [];
  for (let minute = range.from; minute < range.until; minute += anyTimeStep) {
    const slot = { time: timeOf(minute), until: timeOf(minute + anyTimeStep) };
    const past = day.date === now.date && slot.time < now.time;
    if (!past && !appointments.some(({ time, ends }) => time < slot.until && slot.time < ends)) slots.push(slot);
  }
  return slots;
}

/** Blocked time of a column, with the exception of the hours that blocks it: one across midnight is in two columns. */
export type Block = NonNullable<CalendarDay['blocks']>[number];

/** What is blocked in a column. A service of the previous release lists exceptions only, each on its own day. */
export function blocksOf({ date, blocks, off }: CalendarDay): readonly Block[] {
  return (
    blocks ??
    off.map(({ from, until }) => ({
      from,
      until: until <= from ? endOfDay : until,
      exception: { date, from, until },
    }))
  );
}

/** The part of the day that is on screen, minutes since midnight. */
export interface Range {
  readonly from: number;
  readonly until: number;
}

const usual: Range = { from: 9 * 60, until: 17 * 60 };

/** Whole hours with everything that happens in them, and the usual opening hours. */
export function rangeOf(columns: readonly DayColumn[]): Range {
  const spans = columns.flatMap(({ day, appointments }) => [
    ...[...day.hours, ...blocksOf(day)].map(({ from, until }) => ({ from: minuteOf(from), until: minuteOf(until) })),
    ...appointments.map(({ time, ends }) => ({ from: minuteOf(time), until: minuteOf(ends) })),
  ]);
  const from = Math.min(usual.from, ...spans.map((span) => span.from));
  const until = Math.max(usual.until, ...spans.map((span) => span.until));
  return { from: Math.floor(from / 60) * 60, until: Math.min(minutesOfDay, Math.ceil(until / 60) * 60) };
}

/** Shortest height of a time that can be read and pressed, pixels. */
const shortest = 26;
const pixelsPerMinute = { least: 1.3, most: 2.6 };

/** Pixels of a minute: short appointments make the day longer. */
export function scaleOf(columns: readonly DayColumn[]): number {
  const lengths = columns.flatMap(({ day, appointments }) => [
    ...day.slots.map(({ time, until }) => minuteOf(until) - minuteOf(time)),
    ...appointments.map(({ time, ends }) => minuteOf(ends) - minuteOf(time)),
  ]);
  const needed = shortest / Math.max(1, Math.min(30, ...lengths));
  return Math.min(pixelsPerMinute.most, Math.max(pixelsPerMinute.least, needed));
}

/** An appointment beside others that overlap it. */
export interface Placed {
  readonly appointment: CalendarAppointment;
  readonly lane: number;
  /** Lanes side by side. */
  readonly lanes: number;
}

/** Puts appointments that overlap side by side. @param appointments - earliest first */
export function sideBySide(appointments: readonly CalendarAppointment[]): Placed[] {
  const placed: Placed[] = [];
  let group: { readonly appointment: CalendarAppointment; readonly lane: number }[] = [];
  let groupEnds = '';
  const close = (): void => {
    const lanes = Math.max(0, ...group.map(({ lane }) => lane + 1));
    placed.push(...group.map((one) => ({ ...one, lanes })));
    group = [];
  };
  for (const appointment of appointments) {
    if (appointment.time >= groupEnds) close();
    const busy = new Set(group.filter((one) => one.appointment.ends > appointment.time).map(({ lane }) => lane));
    let lane = 0;
    while (busy.has(lane)) lane += 1;
    group.push({ appointment, lane });
    if (group.length === 1 || appointment.ends > groupEnds) groupEnds = appointment.ends;
  }
  close();
  return placed;
}

/** Minutes from the start of a time within which a drop is meant for it. */
const within = 20;

/** Where an appointment goes that is dropped at a minute of a day, or why it can't. */
export type Drop =
  | { readonly slot: OpenSlot; readonly refused?: undefined }
  | { readonly slot?: undefined; readonly refused: string };

/**
 * An appointment goes where it was dropped or nowhere: never to a free time nearby that nobody pointed at.
 *
 * @returns `undefined` if it is dropped where it was
 */
export function dropOn(
  { day, appointments }: DayColumn,
  minute: number,
  dropped: CalendarAppointment,
): Drop | undefined {
  const distance = ({ time }: OpenSlot): number => Math.abs(minuteOf(time) - minute);
  const slot = day.slots.toSorted((one, other) => distance(one) - distance(other))[0];
  if (day.date === dropped.date && Math.abs(minuteOf(dropped.time) - minute) <= within / 2) return undefined;
  if (day.closed) return { refused: closedWords[day.closed] };
  if (!slot || distance(slot) > within) return { refused: 'That’s outside the hours' };
  const { time, until } = slot;
  if (slot.free) return { slot: { time, until } };
  const other = appointments.find((one) => one._id !== dropped._id && one.time < until && time < one.ends);
  return { refused: other ? `${shownTime(time)} is taken by ${other.patientname}` : `${shownTime(time)} isn’t free` };
}

/** Why a day has no times, in words. */
export const closedWords = { holiday: 'Clinic closed', 'day off': 'Day off', 'no hours': 'No hours' } as const;
