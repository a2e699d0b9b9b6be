import type { CalendarAppointment, CalendarDay, Caller } from '@clinic/contracts';
import { appointmentMinutes } from '@clinic/contracts/limits';
import { toAppointment, type AppointmentRecord, type ChangeRules } from '../appointments/appointment-record.ts';
import { freeSlotsOfDay } from '../appointments/free-times.ts';
import type { ClinicClock } from '../clinic-clock.ts';
import { isOutsideHours } from '../doctors/appointments-outside-times.ts';
import type { DoctorRecord } from '../doctors/doctor-record.ts';
import { later, weekdayOf } from '../schedule/local-time.ts';
import { hoursFromTimes } from '../schedule/plain-times.ts';
import { hoursOf, joined, periodOn, spansOn, workingDay } from '../schedule/working-times.ts';

/** The end of an appointment without a slot's length: at a plain time, or outside the hours. */
const usualEnd = (time: string): string => later(time, appointmentMinutes);

/**
 * A doctor's day for the staff's calendar.
 *
 * @param date - 'yyyy-mm-dd' in the clinic's time zone
 * @param taken - times of that day held by appointments, 'HH:mm'
 * @param clock - with the holidays
 */
export function calendarDayOf(
  doctor: DoctorRecord,
  date: string,
  taken: readonly string[],
  clock: ClinicClock,
): CalendarDay {
  const { slots, closed } = workingDay(doctor, date, clock);
  const holiday = clock.holidays.get(date);
  const closedAllDay = closed === 'holiday' || closed === 'day off';
  const free = new Set(freeSlotsOfDay(doctor, date, taken, clock).slots.map(({ time }) => time));
  const { hours, off } = closedAllDay ? { hours: [], off: [] } : hoursAndBlocks(doctor, date);
  return {
    date,
    ...(closed && { closed }),
    ...(holiday !== undefined && { holiday }),
    hours,
    off,
    slots: slots.map(({ time, until }) => ({
      time,
      until: until > time ? until : usualEnd(time),
      free: free.has(time),
    })),
  };
}

function hoursAndBlocks(doctor: DoctorRecord, date: string): Pick<CalendarDay, 'hours' | 'off'> {
  const found = hoursOf(doctor) ?? hoursFromTimes(doctor.availableTimes);
  if (!found) return { hours: [], off: [] };
  const period = periodOn(found.periods, date);
  const special = found.exceptions.filter((one) => one.date === date);
  const extra = special.filter(({ kind }) => kind === 'extra');
  const weekly = period ? spansOn(period, weekdayOf(date)) : [];
  return {
    hours: joined([...weekly, ...extra]).map(({ from, until, place }) => ({ from, until, place })),
    off: special.filter(({ kind }) => kind === 'off').map(({ from, until }) => ({ from, until })),
  };
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
  const slot = doctor && workingDay(doctor, record.date, clock).slots.find(({ time }) => time === record.time);
  return {
    ...toAppointment(record, rules, caller),
    ends: slot && slot.until > slot.time ? slot.until : usualEnd(record.time),
    // Nobody needs to decide about a past appointment.
    outside: doctor !== undefined && record.date >= clock.today && isOutsideHours(record, doctor, clock),
  };
}
