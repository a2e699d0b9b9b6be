import { addDays } from '@clinic/contracts';
import { type Db, ObjectId } from 'mongodb';
import { appointmentRecord, type NewAppointment } from '../../../svc-clinic/src/appointments/appointment-record.ts';
import { promiseOf } from '../../../svc-clinic/src/appointments/promise.ts';
import { collectionsOf as clinicCollectionsOf } from '../../../svc-clinic/src/collections.ts';
import { doctorRecord } from '../../../svc-clinic/src/doctors/doctor-record.ts';
import { pharmacistRecord } from '../../../svc-clinic/src/pharmacists/pharmacist-record.ts';
import { doctorTarget, waitingWords } from '../../../svc-clinic/src/waitlist/waitlist-record.ts';
import { internationalPhone } from '@clinic/service-kit';
import { hour, moment, name, now, numbers, phoneNumber, pick, today } from './seed-values.ts';

/** A doctor without times, so that nobody who waits for them is offered one. */
export const unavailable = {
  _id: new ObjectId(),
  email: 'unavailable@letters.example',
  name: 'Dr. Unavailable',
} as const;

/** Fills the lists of svc-clinic. */
export async function seedClinic(db: Db): Promise<void> {
  const { doctors, pharmacists, appointments } = clinicCollectionsOf(db);
  await doctors.insertMany(
    [
      ...numbers.map((at) => ({ _id: new ObjectId(), name: `Dr. ${name(at)}`, email: `doctor${at}@letters.example` })),
      unavailable,
    ].map((person, at) =>
      doctorRecord({
        ...person,
        qualification: 'MD',
        education: 'Dhaka',
        specialization: pick(['Cardiologist', 'Cafe\u0301 Straße', 'Pediatrics'], at),
        experience: at % 5,
        location: '',
        image: '',
        isAvailable: true,
        availableTimes: [],
        rating: (at % 4) / 2,
        createdAt: moment(at),
      }),
    ),
  );
  await pharmacists.insertMany(
    numbers.map((at) =>
      pharmacistRecord({
        _id: new ObjectId(),
        name: name(at),
        email: `pharmacist${at}@letters.example`,
        phone: '',
        status: 'active',
        qualification: 'BPharm',
        specialization: pick(['Hospital', 'Ῥαβδος'], at),
        experience: 1,
        createdAt: moment(at),
      }),
    ),
  );
  await appointments.insertMany(
    numbers.map((at) =>
      bookedFor(1, {
        _id: new ObjectId(),
        patientName: name(at),
        patientEmail: `person${at % 5}@letters.example`,
        doctorName: `Dr. ${name(at * 3)}`,
        doctorEmail: `doctor${at % 4}@letters.example`,
        age: 40,
        address: '',
        phone: phoneNumber(at),
        phoneE164: internationalPhone(phoneNumber(at), 'BD'),
        date: addDays(today, (at % 7) - 3),
        time: `${String(8 + (at % 3)).padStart(2, '0')}:${String(at).padStart(2, '0')}`,
        status: pick(['Pending', 'Confirmed', 'Cancelled'] as const, at),
        bookedAt: moment(at),
      }),
    ),
  );
}

/** @param minutes - length; short ones don't overlap */
const bookedFor = (minutes: number, appointment: NewAppointment) =>
  appointmentRecord(appointment, promiseOf(appointment, { minutes, place: '' }, 'Asia/Dhaka'));

/** Places on a doctor's waitlist, and offers. */
export async function seedWaitlist(db: Db): Promise<void> {
  const { waitlist, waitlistOffers } = clinicCollectionsOf(db);
  const doctor = { doctorEmail: unavailable.email, doctorName: unavailable.name };
  const places = numbers.map((at) => ({
    _id: new ObjectId(),
    patientId: new ObjectId().toHexString(),
    patientName: name(at),
    patientEmail: `person${at % 5}@letters.example`,
    confirmed: true,
    age: 40,
    address: '',
    phone: phoneNumber(at),
    phoneE164: internationalPhone(phoneNumber(at), 'BD'),
    target: doctorTarget(doctor.doctorEmail),
    about: doctorTarget(doctor.doctorEmail),
    ...doctor,
    from: today,
    until: addDays(today, 30),
    parts: ['morning' as const],
    status: pick(['waiting', 'offered', 'booked', 'left', 'ended'] as const, at),
    joinedAt: moment(at),
  }));
  await waitlist.insertMany(places.map((place) => ({ ...place, words: waitingWords(place) })));
  await waitlistOffers.insertMany(
    places.map(({ _id: entryId, patientId }, at) => ({
      _id: new ObjectId(),
      entryId,
      patientId,
      ...doctor,
      date: addDays(today, at % 7),
      time: '09:00',
      status: pick(['open', 'accepted', 'declined', 'missed', 'withdrawn'] as const, at),
      madeAt: moment(at),
      until: new Date(now + 24 * hour),
    })),
  );
}
