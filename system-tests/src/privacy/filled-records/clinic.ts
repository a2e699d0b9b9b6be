import { addDays } from '@clinic/contracts';
import type { Filled } from '@clinic/service-kit/testing';
import { ObjectId } from 'mongodb';
import type { AppointmentRecord } from '../../../../svc-clinic/src/appointments/appointment-record.ts';
import type { DoctorRecord } from '../../../../svc-clinic/src/doctors/doctor-record.ts';
import type { CalendarFeedRecord } from '../../../../svc-clinic/src/calendar-feeds/calendar-feed-record.ts';
import type { PharmacistRecord } from '../../../../svc-clinic/src/pharmacists/pharmacist-record.ts';
import type { OfferRecord, WaitlistRecord } from '../../../../svc-clinic/src/waitlist/waitlist-record.ts';
import { daysFromNow, mark, type Person, today } from './values.ts';

export function appointment(whose: { patient: Person; doctor: Person }, tag = 'own'): Filled<AppointmentRecord> {
  return {
    _id: new ObjectId(),
    patientName: mark(`${tag}-patient-name`),
    patientEmail: whose.patient.email,
    doctorName: mark(`${tag}-doctor-name`),
    doctorEmail: whose.doctor.email,
    age: 78,
    address: mark(`${tag}-address`),
    phone: mark(`${tag}-phone`),
    phoneE164: mark(`${tag}-phone-e164`),
    reason: mark(`${tag}-reason`),
    date: addDays(today, 40),
    time: '10:00',
    status: 'Cancelled',
    patientId: whose.patient.id,
    doctorAccountId: whose.doctor.id,
    accounts: [whose.patient.id, whose.doctor.id],
    people: [whose.patient.email, whose.doctor.email],
    words: [mark(`${tag}-patient-name`), mark(`${tag}-doctor-name`), whose.patient.email, whose.doctor.email],
    bookedAt: daysFromNow(-9),
    changedAt: daysFromNow(-8),
    sequence: 3,
    movedFrom: { date: addDays(today, 39), time: '09:00' },
    keptAt: { date: addDays(today, 40), time: '10:00' },
    duration: 'PT30M',
    place: 'Level 3',
    cells: [29_000_000, 29_000_001],
    overlaps: true,
    comes: { date: addDays(today, 40), time: '10:00' },
    walkIn: true,
    attendance: {
      date: addDays(today, 40),
      time: '10:00',
      state: 'finished',
      since: daysFromNow(-7),
      number: 12,
      arrivedAt: daysFromNow(-7.1),
      startedAt: daysFromNow(-7),
      waited: 144,
      before: { state: 'with doctor', since: daysFromNow(-7) },
    },
    answered: { form: new ObjectId(), version: 2, at: daysFromNow(-7.5) },
    answers: [
      {
        id: 'q1',
        text: 'Which of these do you take?',
        kind: 'several of',
        required: true,
        choices: ['Aspirin', mark(`${tag}-answer`)],
        answer: [mark(`${tag}-answer`)],
      },
    ],
    series: { id: new ObjectId(), number: 1, of: 2 },
  };
}

export function waiting(whose: { patient: Person; doctor: Person }, tag = 'own'): Filled<WaitlistRecord> {
  return {
    _id: new ObjectId(),
    patientId: whose.patient.id,
    patientName: mark(`${tag}-waiting-name`),
    patientEmail: whose.patient.email,
    confirmed: true,
    age: 77,
    address: mark(`${tag}-waiting-address`),
    phone: mark(`${tag}-waiting-phone`),
    phoneE164: mark(`${tag}-waiting-phone-e164`),
    reason: mark(`${tag}-waiting-reason`),
    target: `doctor ${whose.doctor.email}`,
    about: `doctor ${whose.doctor.email}`,
    doctorEmail: whose.doctor.email,
    doctorName: mark(`${tag}-doctor-name`),
    specialty: 'Cardiology',
    moving: new ObjectId(),
    from: addDays(today, 1),
    until: addDays(today, 9),
    parts: ['morning'],
    status: 'left',
    joinedAt: daysFromNow(-9),
    afterOffers: true,
    words: [mark(`${tag}-waiting-name`), mark(`${tag}-doctor-name`)],
    endedAt: daysFromNow(-8),
  };
}

export function offer(whose: { patient: Person; doctor: Person }, entryId: ObjectId): Filled<OfferRecord> {
  return {
    _id: new ObjectId(),
    entryId,
    patientId: whose.patient.id,
    doctorEmail: whose.doctor.email,
    doctorName: mark('own-doctor-name'),
    date: addDays(today, 5),
    time: '10:00',
    place: 'Level 3',
    last: true,
    told: true,
    moves: { date: addDays(today, 6), time: '10:00' },
    status: 'missed',
    madeAt: daysFromNow(-8.2),
    until: daysFromNow(-8.1),
    settledAt: daysFromNow(-8.1),
  };
}

export const doctor = ({ email, id }: Person): Filled<DoctorRecord> => ({
  _id: new ObjectId(),
  name: mark('profile-name'),
  email,
  qualification: 'MD',
  education: 'A college',
  specialization: 'Cardiology',
  experience: 5,
  location: mark('profile-location'),
  image: mark('profile-image'),
  isAvailable: true,
  availableTimes: ['09:00'],
  hours: {
    periods: [
      {
        from: addDays(today, -300),
        until: addDays(today, 300),
        slotMinutes: 30,
        bufferMinutes: 0,
        hours: [{ day: 'Monday', from: '09:00', until: '09:30', place: mark('profile-place') }],
      },
    ],
    exceptions: [],
    listedTimes: ['09:00'],
  },
  daysOff: [addDays(today, 2)],
  rating: 4,
  nameKey: mark('profile-name'),
  specialtyKey: 'cardiology',
  searchText: mark('profile-name'),
  searchParts: [mark('profile-name')],
  createdAt: daysFromNow(-100),
  accountId: id,
  suspended: true,
  bookedWithoutAccount: 1,
});

export const pharmacist = ({ email, id }: Person): Filled<PharmacistRecord> => ({
  _id: new ObjectId(),
  name: mark('profile-name'),
  email,
  phone: mark('profile-phone'),
  phoneE164: mark('profile-phone-e164'),
  status: 'Active',
  qualification: 'BPharm',
  specialization: 'Clinical',
  experience: 5,
  nameKey: mark('profile-name'),
  searchText: mark('profile-name'),
  searchParts: [mark('profile-name')],
  createdAt: daysFromNow(-100),
  accountId: id,
});

export const calendarFeed = ({ email, id }: Person): Filled<CalendarFeedRecord> => ({
  _id: id,
  email,
  secretHash: mark('calendar-hash'),
  createdAt: daysFromNow(-1),
  reads: { since: daysFromNow(-1), count: 3 },
});
