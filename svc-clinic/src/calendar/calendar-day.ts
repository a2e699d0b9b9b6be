import { addDays, minuteOf, minutesOfDay, timeOf, type Caller } from '@clinic/contracts';
import type { CalendarAppointment, CalendarDay } from '../contract/calendar-calls.ts';
import { toAppointment, type AppointmentRecord, type ChangeRules } from '../appointments/appointment-record.ts';
import { freeSlotsOfDay } from '../appointments/free-times.ts';
import { visitOf } from '../appointments/promise.ts';
import type { TakenTime } from '../appointments/taken-times.ts';
import type { ClinicClock } from '../clinic-clock.ts';
import { misfitOf } from '../doctors/appointments-outside-times.ts';
import type { DoctorRecord } from '../doctors/doctor-record.ts';
import { hoursFromTimes } from '../schedule/plain-times.ts';
import type { ExceptionRecord, HoursRecord } from '../schedule/hours-record.ts';
import { segmentOf, segmentsOn, type Segment } from '../schedule/planned-slots.ts';
import { hoursOf, workingDay } from '../schedule/working-times.ts';

/**
 * A doctor's day for the staff's calendar.
 *
 * @param date - 'yyyy-mm-dd' in the clinic's time zone
 * @param taken - the doctor's taken time
 * @param clock - with the holidays
 */
export function calendarDayOf(doctor: DoctorRecord, date: string, taken: TakenTime, clock: ClinicClock): CalendarDay {
  const { slots, closed } = workingDay(doctor, date, clock);
  const holiday = clock.holidays.get(date);
  const closedAllDay = closed === 'holiday' || closed === 'day off';
  const free = new Set(freeSlotsOfDay(doctor, date, taken, clock).map(({ time }) => time));
  const { hours, off, blocks } = closedAllDay ? { hours: [], off: [], blocks: [] } : hoursAndBlocks(doctor, date);
  return {
    date,
    ...(closed && { closed }),
    ...(holiday !== undefined && { holiday }),
    hours,
    off,
    blocks,
    slots: slots.map(({ time, minutes }) => ({ time, until: endOnDay(time, minutes), free: free.has(time) })),
  };
}

/** What a day's column shows of a time: it ends at midnight at the latest. */
const endOnDay = (time: string, minutes: number): string => timeOf(Math.min(minuteOf(time) + minutes, minutesOfDay));

/** The hours between two midnights: those of a night are in two days. */
function onDay(hours: HoursRecord, date: string): readonly Segment[] {
  const night = segmentsOn(hours, addDays(date, -1)).flatMap(({ until, place }) =>
    until > minutesOfDay ? [{ from: 0, until: until - minutesOfDay, place }] : [],
  );
  return [...night, ...segmentsOn(hours, date).map((one) => ({ ...one, until: Math.min(one.until, minutesOfDay) }))];
}

function hoursAndBlocks(doctor: DoctorRecord, date: string): Required<Pick<CalendarDay, 'hours' | 'off' | 'blocks'>> {
  const found = hoursOf(doctor) ?? hoursFromTimes(doctor.availableTimes);
  if (!found) return { hours: [], off: [], blocks: [] };
  const offOn = (day: string) => found.exceptions.filter((one) => one.date === day && one.kind === 'off');
  return {
    hours: onDay(found, date).map(({ from, until, place }) => ({ from: timeOf(from), until: timeOf(until), place })),
    off: offOn(date).map(({ from, until }) => ({ from, until })),
    blocks: [
      ...offOn(addDays(date, -1)).flatMap((one) => blockOf(one, -minutesOfDay)),
      ...offOn(date).flatMap((one) => blockOf(one, 0)),
    ],
  };
}

/** The part of blocked time that is between two midnights. @param shift - minutes from the column's midnight to that of its day */
function blockOf({ date, ...span }: ExceptionRecord, shift: number): NonNullable<CalendarDay['blocks']> {
  const whole = segmentOf(span);
  const from = Math.max(0, whole.from + shift);
  const until = Math.min(minutesOfDay, whole.until + shift);
  if (until <= from) return [];
  return [{ from: timeOf(from), until: timeOf(until), exception: { date, from: span.from, until: span.until } }];
}

/**
 * An appointment for the staff's calendar, with its end.
 *
 * @param doctor - `undefined` if the profile has been deleted
 * @param clock - with the holidays
 */
export function calendarAppointmentOf(
  record: AppointmentRecord,
  doctor: DoctorRecord | undefined,
  { rules, caller, clock }: { readonly rules: ChangeRules; readonly caller: Caller; readonly clock: ClinicClock },
): CalendarAppointment {
  return {
    ...toAppointment(record, rules, caller),
    ends: endOnDay(record.time, visitOf(record).minutes),
    // Nobody needs to decide about a past appointment.
    outside: doctor !== undefined && record.date >= clock.today && misfitOf(record, doctor, clock) !== undefined,
  };
}
