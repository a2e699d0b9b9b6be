import { addDays } from '@clinic/contracts';
import type { DemoDoctor } from '@clinic/demo-data';
import type { DoctorRecord } from '../doctors/doctor-record.ts';
import type { WeeklySpanRecord } from '../schedule/hours-record.ts';
import { hoursFromTimes } from '../schedule/plain-times.ts';
import { allTimes } from '../schedule/working-times.ts';

const room = 'Evening clinic, Ground Floor';

/** Hours that some doctors have besides their times of every day, by name. */
const alsoWorking: Readonly<Record<string, readonly WeeklySpanRecord[]>> = {
  'Dr. Samuel Adeyemi': [
    { day: 'Thursday', from: '19:30', until: '22:00', place: room },
    { day: 'Friday', from: '19:30', until: '22:00', place: room },
  ],
  'Dr. Nusrat Jahan': [{ day: 'Tuesday', from: '19:30', until: '21:00', place: room }],
  'Dr. Sabrina Hossain': [{ day: 'Saturday', from: '17:00', until: '19:00', place: 'Children’s Clinic, Room 5' }],
};

/** On leave for two weeks, from this many days after the first start. */
const leave: Readonly<Record<string, number>> = { 'Dr. Fatima El-Sayed': 14 };
const leaveDays = 14;

/**
 * When a demo doctor works: the listed times every day, evenings and a Saturday clinic for some, and a leave.
 *
 * @param today - 'yyyy-mm-dd' in the clinic's time zone
 */
export function demoHours(
  { name, availableTimes }: Pick<DemoDoctor, 'name' | 'availableTimes'>,
  today: string,
): Pick<DoctorRecord, 'availableTimes' | 'hours' | 'daysOff'> {
  const start = leave[name];
  const daysOff =
    start === undefined ? undefined : Array.from({ length: leaveDays }, (_, day) => addDays(today, start + day));
  const hours = hoursFromTimes(availableTimes);
  const [period] = hours?.periods ?? [];
  if (!hours || !period) return { availableTimes, ...(daysOff && { daysOff }) };
  const weekly = { ...period, hours: [...period.hours, ...(alsoWorking[name] ?? [])] };
  const listedTimes = allTimes({ periods: [weekly], exceptions: [] });
  return {
    availableTimes: listedTimes,
    hours: { periods: [weekly], exceptions: [], listedTimes },
    ...(daysOff && { daysOff }),
  };
}
