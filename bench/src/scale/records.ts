import { ObjectId } from 'mongodb';
import { addDays } from '@clinic/contracts';
import { internationalPhone, type HistoryEvent } from '@clinic/service-kit';
import type { AppointmentStatus } from '@clinic/svc-clinic/contract/transitions';
import { orderStatuses } from '@clinic/svc-pharmacy/contract/transitions';
import {
  appointmentRecord,
  type NewAppointment,
  type AppointmentRecord,
} from '../../../svc-clinic/src/appointments/appointment-record.ts';
import { promiseOf } from '../../../svc-clinic/src/appointments/promise.ts';
import { doctorRecord, type DoctorRecord } from '../../../svc-clinic/src/doctors/doctor-record.ts';
import { searchFields, type UserRecord } from '../../../svc-identity/src/users/user-record.ts';
import { medicineRecord, type MedicineRecord } from '../../../svc-pharmacy/src/medicines/medicine-record.ts';
import {
  firstMovement,
  withFirstMovement,
  type MovementRecord,
} from '../../../svc-pharmacy/src/medicines/movement-record.ts';
import { orderNumberOf, recipientFields, type OrderRecord } from '../../../svc-pharmacy/src/orders/order-record.ts';

/** Today, for records around it: 'yyyy-mm-dd'. */
export const today = new Date().toISOString().slice(0, 10);

const appointmentStatuses: readonly AppointmentStatus[] = ['Pending', 'Confirmed', 'Cancelled', 'Confirmed'];
const syllables = 'an bel cor dip el fam gli hex ib jo kal lor met nif ox par quin ro sul ter'.split(' ');
const two = (number: number): string => String(number).padStart(2, '0');
const six = (number: number): string => String(number).padStart(6, '0');

/** Unique ids, in the order of the records. */
const idOf = (kind: number, index: number): ObjectId =>
  ObjectId.createFromHexString(
    `68${two(kind)}0000${Math.imul(index + 1, 0x9e3779b1)
      .toString(16)
      .replace('-', '0')
      .padStart(8, '0')
      .slice(-8)}${index.toString(16).padStart(8, '0')}`,
  );

/** A made-up word for each number. */
function wordOf(number: number): string {
  const { length } = syllables;
  return [number % length, Math.floor(number / length) % length, Math.floor(number / length ** 2) % length]
    .map((at) => syllables[at])
    .join('');
}

/** Doctors, each with ten slots a day. */
const doctors = 50;
const slotsADay = doctors * 10;

/** Appointments day by day, starting yesterday; each patient has about ten. */
export function appointment(index: number): AppointmentRecord {
  const slot = index % slotsADay;
  const patient = Math.floor(index / 10);
  const booked: NewAppointment = {
    _id: idOf(1, index),
    patientName: `${wordOf(patient)} Number${six(patient)}`,
    patientEmail: `patient${patient}@mail.example`,
    doctorName: `Dr. Nr${slot % doctors}`,
    doctorEmail: `doctor${slot % doctors}@clinic.example`,
    age: 30,
    address: '5 Lake Road',
    phone: `+880 1555 ${six(patient)}`,
    phoneE164: internationalPhone(`+880 1555 ${six(patient)}`, 'BD'),
    date: addDays(today, Math.floor(index / slotsADay) - 1),
    time: `${two(9 + Math.floor(slot / doctors))}:00`,
    status: appointmentStatuses[index % appointmentStatuses.length] ?? 'Pending',
    bookedAt: new Date(1_780_000_000_000 + index * 1000),
  };
  return appointmentRecord(booked, promiseOf(booked, { minutes: 30, place: 'Level 3' }, 'Asia/Dhaka'));
}

export function doctor(index: number): DoctorRecord {
  return doctorRecord({
    _id: idOf(2, index),
    name: `Dr. ${wordOf(index)} Nr${index}`,
    email: `doctor${index}@clinic.example`,
    qualification: 'MBBS',
    education: 'Dhaka Medical College',
    specialization: ['Cardiology', 'Neurology', 'Paediatrics', 'Dermatology'][index % 4] ?? '',
    experience: index % 40,
    location: 'Dhaka',
    image: '',
    isAvailable: true,
    availableTimes: ['09:00', '10:00', '11:00'],
    rating: (index % 50) / 10,
    createdAt: new Date(1_780_000_000_000),
  });
}

export function order(index: number): OrderRecord {
  const _id = idOf(3, index);
  const customer = Math.floor(index / 10);
  const line = (at: number) => ({
    medicineId: `MED-${at}`,
    name: `${wordOf(at)} 500 mg`,
    manufacturer: 'Square',
    quantity: 1 + (at % 5),
    unit: 'tablet',
    priceMinor: 1250,
    expiryDate: '2030-01-31',
  });
  return {
    _id,
    number: orderNumberOf(_id),
    items: [line(index % 500), line((index * 7) % 500)],
    orderDate: new Date(Date.now() - index * 60_000),
    status: orderStatuses[index % orderStatuses.length] ?? 'pending',
    deliveryAddress: '5 Lake Road',
    customerEmail: `customer${customer}@mail.example`,
    ...recipientFields(`${wordOf(customer)} Number${six(customer)}`, `+880 1555 ${six(customer)}`, 'BD'),
  };
}

export function medicine(index: number): MedicineRecord {
  const details = {
    medicineId: `MED-${index}`,
    name: `${wordOf(index)} ${index} mg`,
    manufacturer: 'Square',
    quantity: index % 300,
    unit: 'tablet',
    expiryDate: addDays(today, (index % 900) - 30),
    pricePerUnit: 12.5,
  };
  const record = medicineRecord(idOf(4, index), details, {
    pharmacistEmail: 'pharmacist@clinic.example',
    addedDate: today,
    lowStockBelow: 10,
  });
  return withFirstMovement(record);
}

/** The movement with which a medicine's stock begins. */
export function movement(index: number): MovementRecord {
  const first = firstMovement(medicine(index), 'added');
  return { _id: idOf(7, index), ...first, at: new Date(), requestId: 'bench' };
}

export function user(index: number): UserRecord {
  const email = `${wordOf(index)}${six(index)}@mail.example`;
  const profile = {
    firstName: wordOf(index),
    lastName: `Number${six(index)}`,
    phone: `+880 1555 ${six(index)}`,
    phoneE164: internationalPhone(`+880 1555 ${six(index)}`, 'BD'),
    dateOfBirth: '1990-01-31',
  };
  return {
    _id: idOf(5, index),
    email,
    ...profile,
    role: index % 100 === 0 ? 'doctor' : 'patient',
    emailVerified: true,
    registered: true,
    version: 1,
    createdAt: new Date(Date.now() - index * 60_000),
    ...searchFields(profile, email),
  };
}

export function event(index: number): HistoryEvent & { readonly _id: ObjectId } {
  const person = `patient${Math.floor(index / 10)}@mail.example`;
  return {
    _id: idOf(6, index),
    at: new Date(Date.now() - index * 30_000),
    call: 'changeAppointmentStatus',
    requestId: `request-${index}`,
    record: { type: 'appointment', id: idOf(1, index).toHexString() },
    people: [person],
    action: index % 3 === 0 ? 'booked' : 'status changed',
    before: { status: 'Pending' },
    after: { status: 'Confirmed' },
  };
}
