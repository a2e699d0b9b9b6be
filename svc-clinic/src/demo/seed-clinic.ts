import { demoDoctors, demoPharmacists } from '@clinic/demo-data';
import { type HistoryEvent, internationalPhone, seedDemoOnce } from '@clinic/service-kit';
import { ObjectId } from 'mongodb';
import {
  appointmentFieldsForHistory,
  appointmentRecord,
  type AppointmentRecord,
} from '../appointments/appointment-record.ts';
import { promiseOf } from '../appointments/promise.ts';
import { clinicClock } from '../clinic-clock.ts';
import { collectionsOf } from '../collections.ts';
import { doctorRecord } from '../doctors/doctor-record.ts';
import { pharmacistRecord } from '../pharmacists/pharmacist-record.ts';
import { assumedVisit } from '../schedule/visit.ts';
import type { ClinicContext } from '../settings.ts';
import { entryForHistory, waitingWords, type WaitlistRecord } from '../waitlist/waitlist-record.ts';
import { demoAppointments } from './demo-appointments.ts';
import { demoHours } from './demo-hours.ts';
import { demoWaitlist, fullyBooked } from './fully-booked.ts';

/** Fills a demo's database with doctors, pharmacists, appointments around today and a waitlist, once. */
export async function seedClinic(context: ClinicContext): Promise<void> {
  const { doctors, pharmacists, appointments, waitlist } = collectionsOf(context.db);
  const clock = clinicClock(context.settings);
  const { now, today } = clock;
  const phoneOf = ({ phone }: { readonly phone: string }) => ({
    phoneE164: internationalPhone(phone, context.settings.CLINIC_COUNTRY),
  });
  await seedDemoOnce(context, async (session) => {
    await doctors.insertMany(
      demoDoctors.map((doctor) => {
        const { firstName: _first, lastName: _last, dateOfBirth: _born, phone: _phone, specialty, ...profile } = doctor;
        const hours = demoHours(doctor, today);
        return doctorRecord({ _id: new ObjectId(), ...profile, specialization: specialty, ...hours, createdAt: now });
      }),
      { session },
    );
    await pharmacists.insertMany(
      demoPharmacists.map(({ firstName: _first, lastName: _last, dateOfBirth: _born, ...profile }) =>
        pharmacistRecord({ _id: new ObjectId(), ...profile, ...phoneOf(profile), createdAt: now }),
      ),
      { session },
    );
    const profiles = new Map((await doctors.find({}, { session }).toArray()).map((doctor) => [doctor.email, doctor]));
    const booked = [...demoAppointments(today), ...fullyBooked(clock)].map((appointment) => {
      const visit = assumedVisit(profiles.get(appointment.doctorEmail), appointment);
      const booking = { _id: new ObjectId(), ...appointment, ...phoneOf(appointment) };
      return appointmentRecord(booking, promiseOf(appointment, visit, clock.timeZone));
    });
    await appointments.insertMany(booked, { session });
    const waiting = demoWaitlist(clock).map((entry) => {
      const place = { ...entry, ...phoneOf(entry) };
      return { ...place, words: waitingWords(place) };
    });
    await waitlist.insertMany(waiting, { session });
    await context.db
      .collection<HistoryEvent>('events')
      .insertMany([...booked.flatMap(historyOfDemo), ...waiting.map(historyOfWaiting)], { session });
  });
}

/** Hours until the demo's doctors responded to a booking. */
const answeredAfter = 6;

/** History that leads to a demo appointment's status, without an actor. */
function historyOfDemo(record: AppointmentRecord): HistoryEvent[] {
  const { people } = record;
  const common = {
    call: 'seed',
    requestId: 'seed',
    record: { type: 'appointment', id: record._id.toHexString() },
    concerns: people,
    people,
  } as const;
  const booked: HistoryEvent = {
    ...common,
    at: record.bookedAt,
    action: 'booked',
    before: null,
    after: { ...appointmentFieldsForHistory(record), status: 'Pending' },
  };
  if (record.status === 'Pending') return [booked];
  const at = new Date(record.bookedAt.getTime() + answeredAfter * 3_600_000);
  return [
    booked,
    { ...common, at, action: 'status changed', before: { status: 'Pending' }, after: { status: record.status } },
  ];
}

function historyOfWaiting(record: WaitlistRecord): HistoryEvent {
  return {
    call: 'seed',
    requestId: 'seed',
    record: { type: 'waitlist', id: record._id.toHexString() },
    concerns: [record.patientEmail],
    accounts: [record.patientId],
    people: [record.patientEmail],
    at: record.joinedAt,
    action: 'joined waitlist',
    before: null,
    after: entryForHistory(record),
  };
}
