import { addDays } from '@clinic/contracts';
import { fullyBookedDoctor, type DemoDoctor } from '@clinic/demo-data';
import { weekdays } from '@clinic/contracts/opening-days';
import type { DoctorRecord } from '../doctors/doctor-record.ts';
import type { PeriodRecord, WeeklySpanRecord } from '../schedule/hours-record.ts';
import { hoursFromTimes } from '../schedule/plain-times.ts';
import { allTimes } from '../schedule/working-times.ts';

const room = 'Evening clinic, Ground Floor';

/** Weeks of their own, by email; the others have the same times every day. */
const ownWeeks: Readonly<Record<string, (today: string) => PeriodRecord>> = {
  // Planned for four weeks, all fully booked.
  [fullyBookedDoctor]: (today) => ({
    until: addDays(today, 27),
    slotMinutes: 45,
    bufferMinutes: 0,
    hours: [
      { day: 'Sunday', from: '17:00', until: '20:00', place: '' },
      { day: 'Wednesday', from: '17:00', until: '20:00', place: room },
    ],
  }),
  'mei.tanaka@clinic.example': () => ({
    slotMinutes: 30,
    bufferMinutes: 0,
    hours: [
      ...(['Sunday', 'Monday', 'Tuesday'] as const).map((day) => ({ day, from: '14:00', until: '19:30', place: '' })),
      { day: 'Thursday', from: '08:00', until: '12:00', place: '' },
    ],
  }),
};

/** Hours of a doctor who lists no times: the same every day, with night duty. */
const nightDuty: Readonly<Record<string, PeriodRecord>> = {
  'chloe.nguyen@clinic.example': {
    slotMinutes: 15,
    bufferMinutes: 0,
    hours: weekdays.flatMap((day) =>
      [
        ['09:00', '12:15'],
        ['13:30', '16:00'],
        ['22:30', '01:30'],
      ].map(([from = '', until = '']) => ({ day, from, until, place: '' })),
    ),
  },
};

/** Hours that some doctors have besides their times of every day, by email. */
const alsoWorking: Readonly<Record<string, readonly WeeklySpanRecord[]>> = {
  'samuel.adeyemi@clinic.example': [
    { day: 'Thursday', from: '19:30', until: '22:00', place: room },
    { day: 'Friday', from: '19:30', until: '22:00', place: room },
  ],
  'sabrina.hossain@clinic.example': [
    { day: 'Saturday', from: '17:00', until: '19:00', place: 'Children’s Clinic, Room 5' },
  ],
};

/** Days from the first start to the first and last day of a leave, by email: one is on leave now, one will be. */
const leaves: Readonly<Record<string, readonly [first: number, last: number]>> = {
  'fatima.el-sayed@clinic.example': [-4, 9],
  'priya.nair@clinic.example': [21, 27],
};

/** Whether a doctor has the same times every day and no leave, so that demo appointments can be on any day. */
export function worksEveryDay({ email }: Pick<DemoDoctor, 'email'>): boolean {
  return !Object.hasOwn(ownWeeks, email) && !Object.hasOwn(leaves, email);
}

/**
 * When a demo doctor works: the listed times every day, additional hours for some, a week of their own for others, and leave.
 *
 * @param today - 'yyyy-mm-dd' in the clinic's time zone
 */
export function demoHours(
  { email, availableTimes }: Pick<DemoDoctor, 'email' | 'availableTimes'>,
  today: string,
): Pick<DoctorRecord, 'availableTimes' | 'hours' | 'daysOff'> {
  const daysOff = leaveOf(email, today);
  const period = ownWeeks[email]?.(today) ?? nightDuty[email] ?? everyDay(email, availableTimes);
  if (!period) return { availableTimes, ...(daysOff && { daysOff }) };
  const listedTimes = allTimes({ periods: [period], exceptions: [] });
  return {
    availableTimes: listedTimes,
    hours: { periods: [period], exceptions: [], listedTimes },
    ...(daysOff && { daysOff }),
  };
}

function leaveOf(email: string, today: string): string[] | undefined {
  const leave = leaves[email];
  if (!leave) return undefined;
  const [first, last] = leave;
  return Array.from({ length: last - first + 1 }, (_, day) => addDays(today, first + day));
}

function everyDay(email: string, availableTimes: readonly string[]): PeriodRecord | undefined {
  const period = hoursFromTimes(availableTimes)?.periods[0];
  return period && { ...period, hours: [...period.hours, ...(alsoWorking[email] ?? [])] };
}
