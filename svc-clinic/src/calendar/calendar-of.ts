import { minuteOf, timeOf, type CalendarAppointment, type CalendarDay, type Caller } from '@clinic/contracts';
import { toAppointment, type AppointmentRecord, type ChangeRules } from '../appointments/appointment-record.ts';
import { freeSlotsOfDay } from '../appointments/free-times.ts';
import { visitOf } from '../appointments/promise.ts';
import type { TakenTime } from '../appointments/taken-times.ts';
import type { ClinicClock } from '../clinic-clock.ts';
import { misfitOf } from '../doctors/appointments-outside-times.ts';
import type { DoctorRecord } from '../doctors/doctor-record.ts';
import { hoursFromTimes } from '../schedule/plain-times.ts';
import { segmentsOn } from '../schedule/planned-slots.ts';
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
  const { hours, off } = closedAllDay ? { hours: [], off: [] } : hoursAndBlocks(doctor, date);
  return {
    date,
    ...(closed && { closed }),
    ...(holiday !== undefined && { holiday }),
    hours,
    off,
    slots: slots.map(({ time, until }) => ({ time, until, free: free.has(time) })),
  };
}

function hoursAndBlocks(doctor: DoctorRecord, date: string): Pick<CalendarDay, 'hours' | 'off'> {
  const found = hoursOf(doctor) ?? hoursFromTimes(doctor.availableTimes);
  if (!found) return { hours: [], off: [] };
  const off = found.exceptions.filter((one) => one.date === date && one.kind === 'off');
  return {
    hours: segmentsOn(found, date).map(({ from, until, place }) => ({
      from: timeOf(from),
      until: timeOf(until),
      place,
    })),
    off: off.map(({ from, until }) => ({ from, until })),
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
  return {
    ...toAppointment(record, rules, caller),
    ends: timeOf(minuteOf(record.time) + visitOf(record).minutes),
    // Nobody needs to decide about a past appointment.
    outside: doctor !== undefined && record.date >= clock.today && misfitOf(record, doctor, clock) !== undefined,
  };
}
