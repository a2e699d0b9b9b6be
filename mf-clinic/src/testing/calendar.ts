import { addDays, clinicMoment } from '@clinic/contracts';
import { startOfWeek } from '@clinic/contracts/opening-days';
import type { CalendarAppointment, ClinicCalendar } from '@clinic/svc-clinic/contract/calendar-calls';
import { doctor } from './records.ts';

type Day = ClinicCalendar['doctors'][number]['days'][number];

/** Dr. Grey's calendar. @param email - of the profile */
export const calendarOf = (
  days: Day[],
  appointments: CalendarAppointment[],
  email: string = doctor.email,
): ClinicCalendar => ({
  doctors: [
    {
      _id: doctor._id,
      name: doctor.name,
      email,
      specialization: doctor.specialization,
      location: doctor.location,
      anyTime: false,
      days,
    },
  ],
  appointments,
  more: false,
  complete: true,
});

const today = clinicMoment(new Date(), 'Asia/Dhaka').date;
// A week whose days are all to come.
export const monday = addDays(startOfWeek(today), 7);
export const tuesday = addDays(monday, 1);
export const wednesday = addDays(monday, 2);
/** Blocked time that ends on Wednesday. */
export const night = { date: tuesday, from: '22:30', until: '01:30' };

/** A day with two times. @param free - whether nobody has the first one */
export const dayOf = (date: string, free = true, more: Partial<Day> = {}): Day => ({
  date,
  hours: [{ from: '09:00', until: '10:30', place: '' }],
  off: [],
  blocks: [],
  slots: [
    { time: '09:00', until: '09:30', free },
    { time: '09:30', until: '10:00', free: true },
  ],
  ...more,
});

const off = { from: '10:00', until: '10:30' };
/** Monday's first time is taken; on Tuesday, and in the night after it, some time is blocked. */
export const weekDays = [
  dayOf(monday, false),
  dayOf(tuesday, true, { off: [off], blocks: [{ ...off, exception: { date: tuesday, ...off } }] }),
  dayOf(wednesday, true, { blocks: [{ from: '00:00', until: '01:30', exception: night }] }),
  ...[3, 4, 5, 6].map((later) => dayOf(addDays(monday, later))),
];

/** Its hours, as they are stored. */
export const saved = {
  version: 'v1',
  takesAppointments: true,
  periods: [
    { slotMinutes: 30, bufferMinutes: 0, hours: [{ day: 'Monday', from: '09:00', until: '10:30', place: '' }] },
  ],
  daysOff: [],
  exceptions: [{ date: tuesday, kind: 'off', from: '10:00', until: '10:30', place: '' }],
};
