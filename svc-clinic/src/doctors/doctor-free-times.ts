import { daysOf } from '@clinic/service-kit';
import type { Collection } from 'mongodb';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import { freeSlotsOfDay, freeTimesOfDay } from '../appointments/free-times.ts';
import { takenTime, takenTimes } from '../appointments/taken-times.ts';
import type { ClinicClock } from '../clinic-clock.ts';
import type { DoctorRecord } from './doctor-record.ts';

/** A doctor's free times on a day, as listFreeTimes sends them. */
export async function freeTimesOn(
  appointments: Collection<AppointmentRecord>,
  doctor: DoctorRecord,
  date: string,
  clock: ClinicClock,
) {
  const taken = await takenTime(appointments, doctor.email, { from: date, until: date }, clock.timeZone);
  const slots = freeSlotsOfDay(doctor, date, taken, clock);
  const elsewhere = slots.filter(({ place }) => place !== '');
  return {
    date,
    timeZone: clock.timeZone,
    times: slots.map(({ time }) => time),
    anyTime: false,
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
  const taken = await takenTimes(appointments, [doctor.email], { from, until }, clock.timeZone);
  const days = daysOf({ from, to: until }).map((date) => ({
    date,
    free: freeTimesOfDay(doctor, date, taken(doctor.email), clock).length,
  }));
  return { days, anyTime: false, timeZone: clock.timeZone };
}
