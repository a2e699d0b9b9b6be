import { addDays, ageOn } from '@clinic/contracts';
import { demoCallers, demoDoctors, demoUsers, demoWaiting, fullyBookedDoctor } from '@clinic/demo-data';
import { ObjectId } from 'mongodb';
import type { ClinicClock } from '../clinic-clock.ts';
import { waitlistParts } from '../contract/limits.ts';
import { workingDay } from '../schedule/working-times.ts';
import { doctorTarget, type WaitlistRecord } from '../waitlist/waitlist-record.ts';
import type { DemoAppointment } from './demo-appointments.ts';
import { demoHours } from './demo-hours.ts';

const street = 'Garden Street, Dhaka';

/** Days from the first start in which the doctor has hours. */
const plannedDays = 28;

/** Appointments at all times of the fully booked doctor, booked by telephone. */
export function fullyBooked(clock: ClinicClock): DemoAppointment[] {
  const doctor = called(demoDoctors, fullyBookedDoctor);
  const hours = demoHours(doctor, clock.today);
  const slots = Array.from({ length: plannedDays }, (_, day) => addDays(clock.today, day)).flatMap((date) =>
    workingDay(hours, date, clock).slots.map(({ time }) => ({ date, time })),
  );
  return slots.map(({ date, time }, index) => {
    const patient = demoCallers[index % demoCallers.length];
    if (!patient) throw new Error('nobody has called');
    return {
      patientName: patient.name,
      patientEmail: patient.email,
      doctorName: doctor.name,
      doctorEmail: doctor.email,
      age: patient.age,
      address: `${3 + index * 4} ${street}`,
      phone: patient.phone,
      date,
      time,
      status: index % 5 === 3 ? 'Pending' : 'Confirmed',
      bookedAt: new Date(`${addDays(clock.today, -1 - (index % 20))}T10:00:00Z`),
    };
  });
}

/** People on the waitlist for one of these times. */
export function demoWaitlist({ today }: ClinicClock): WaitlistRecord[] {
  const { name, email } = called(demoDoctors, fullyBookedDoctor);
  return demoWaiting.map(({ email: patientEmail, days: [first, last], since, reason }, index) => {
    const patient = called(demoUsers, patientEmail);
    return {
      _id: new ObjectId(),
      patientId: patient.id,
      patientName: `${patient.firstName} ${patient.lastName}`,
      patientEmail,
      confirmed: true,
      age: ageOn(today, patient.dateOfBirth),
      address: `${8 + index * 6} ${street}`,
      phone: patient.phone,
      ...(reason !== undefined && { reason }),
      target: doctorTarget(email),
      about: doctorTarget(email),
      doctorEmail: email,
      doctorName: name,
      from: addDays(today, first),
      until: addDays(today, last),
      parts: waitlistParts,
      status: 'waiting',
      joinedAt: new Date(`${addDays(today, -since)}T08:30:00Z`),
    };
  });
}

function called<Person extends { readonly email: string }>(people: readonly Person[], email: string): Person {
  const person = people.find((one) => one.email === email);
  if (!person) throw new Error(`the demo lacks ${email}`);
  return person;
}
