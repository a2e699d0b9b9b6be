import { daysOf } from '@clinic/service-kit';
import type { Collection } from 'mongodb';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import { freeSlotsOfDay, freeTimesOfDay } from '../appointments/free-times.ts';
import { takenSlots } from '../appointments/taken-times.ts';
import type { ClinicClock } from '../clinic-clock.ts';
import { takesAnyTime } from '../schedule/working-times.ts';
import { isBookable, type DoctorRecord } from './doctor-record.ts';

/** A doctor's free times on a day, as listFreeTimes sends them. */
export async function freeTimesOn(
  appointments: Collection<AppointmentRecord>,
  doctor: DoctorRecord,
  date: string,
  clock: ClinicClock,
) {
  const taken = await takenSlots(appointments, [doctor.email], date, date);
  const { slots, anyTime } = freeSlotsOfDay(doctor, date, taken(doctor.email, date), clock);
  const elsewhere = slots.filter(({ place }) => place !== '');
  return {
    date,
    timeZone: clock.timeZone,
    times: slots.map(({ time }) => time),
    anyTime,
    ...(elsewhere.length > 0 && { places: elsewhere.map(({ time, place }) => ({ time, place })) }),
  };
}

/** How many times a doctor has free on each day of a period, as listFreeDays sends them. */
export async function freeDays(
  appointments: Collection<AppointmentRecord>,
  doctor: DoctorRecord,
  { from, until }: { readonly from: string; readonly until: string },
  clock: ClinicClock,
) {
  const taken = await takenSlots(appointments, [doctor.email], from, until);
  const days = daysOf({ from, to: until }).map((date) => ({
    date,
    free: freeTimesOfDay(doctor, date, taken(doctor.email, date), clock).times.length,
  }));
  return { days, anyTime: isBookable(doctor) && takesAnyTime(doctor), timeZone: clock.timeZone };
}
