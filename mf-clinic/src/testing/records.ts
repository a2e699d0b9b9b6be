import type { FoundPatient } from '@clinic/svc-clinic/contract/calendar-calls';
import type { Appointment, Doctor } from '@clinic/svc-clinic/contract/schemas';
import type { SignedIn } from '@clinic/app-kit/test-gateway';

/** A patient. */
export const ann: SignedIn = {
  email: 'ann@mail.example',
  firstName: 'Ann',
  lastName: 'Lee',
  role: 'patient',
  emailVerified: true,
};

/** The doctor's account. */
export const grey: SignedIn = {
  email: 'grey@clinic.example',
  firstName: 'Meredith',
  lastName: 'Grey',
  role: 'doctor',
  emailVerified: true,
};

/** An admin. */
export const nadia: SignedIn = {
  email: 'admin@clinic.example',
  firstName: 'Nadia',
  lastName: 'Rahman',
  role: 'admin',
  emailVerified: true,
};

export const doctor: Doctor = {
  _id: 'd'.repeat(24),
  id: 'd'.repeat(24),
  name: 'Dr. Grey',
  email: grey.email,
  qualification: 'MD',
  education: 'Dartmouth',
  specialization: 'Cardiologist',
  specialty: 'Cardiologist',
  experience: 9,
  location: 'Level 3',
  image: '',
  isAvailable: true,
  availableTimes: ['09:00', '09:30', '10:00'],
  rating: 4.5,
  nextFree: null,
  daysOff: [],
};

/** Ann's appointment with Dr. Grey. */
export const appointment = (more: Partial<Appointment> = {}): Appointment => ({
  _id: 'a'.repeat(24),
  patientname: 'Ann Lee',
  patientemail: ann.email,
  doctorname: doctor.name,
  doctoremail: doctor.email,
  age: 34,
  address: '5 Lake Road',
  number: '+880 1555',
  date: '2100-01-05',
  time: '10:00',
  status: 'Pending',
  changeUntil: '2100-01-05T00:00:00Z',
  ...more,
});

/** Ann's account, as the list of users has it. */
export const annsAccount = {
  _id: 'b'.repeat(24),
  email: ann.email,
  firstName: 'Ann',
  lastName: 'Lee',
  phone: '+880 1555 010999',
  dateOfBirth: '1990-04-01',
  address: '5 Lake Road',
  role: 'patient',
};

/** Ann, as the desk finds her by an earlier appointment. */
export const foundAnn = (more: Partial<FoundPatient> = {}): FoundPatient => ({
  appointment: 'e'.repeat(24),
  patientname: 'Ann Lee',
  patientemail: ann.email,
  number: '+880 1555 010999',
  age: 36,
  address: '5 Lake Road',
  date: '2026-01-05',
  doctorname: 'Dr. Grey',
  ...more,
});
