import { ObjectId, type Collection, type Db } from 'mongodb';
import { addDays } from '@clinic/contracts';
import {
  appointmentRecord,
  type NewAppointment,
  type AppointmentRecord,
} from '../../../svc-clinic/src/appointments/appointment-record.ts';
import { promiseOf } from '../../../svc-clinic/src/appointments/promise.ts';
import { visitInMessage } from '../../../svc-clinic/src/messages/announce-visit.ts';
import { newMessage } from '../../../svc-messages/src/intake/new-messages.ts';
import type { MessageRecord } from '../../../svc-messages/src/ledger/message-record.ts';
import { doctor, today } from '../scale/records.ts';
import { remindedAddress } from './mail-figures.ts';

/** Records written per batch. */
const batch = 1_000;

/** Doctors, each with three times a day. */
const doctors = 1_000;
const times = ['09:00', '10:00', '11:00'] as const;

/** Two days from now it is the future in every time zone; people book for later days. */
const visitDate = addDays(today, 2);

/** A free time for a booking; a different one for each index. */
export function freeSlot(index: number) {
  const round = Math.floor(index / doctors);
  return {
    doctoremail: `doctor${index % doctors}@clinic.example`,
    date: addDays(visitDate, 1 + Math.floor(round / times.length)),
    time: times[round % times.length] ?? times[0],
  };
}

/** A visit, each of a different patient; ten per doctor. */
function visit(index: number): AppointmentRecord {
  const at = Math.floor(index / 10);
  const booked: NewAppointment = {
    _id: new ObjectId(),
    patientName: `Patient Number${index}`,
    patientEmail: remindedAddress(index),
    patientId: new ObjectId().toHexString(),
    doctorName: `Dr. Nr${at}`,
    doctorEmail: `doctor${at}@clinic.example`,
    age: 30,
    address: '5 Lake Road',
    phone: '+880 1555 010999',
    date: visitDate,
    time: `${String(9 + (index % 10)).padStart(2, '0')}:00`,
    status: 'Confirmed',
    bookedAt: new Date(),
  };
  return appointmentRecord(booked, promiseOf(booked, { minutes: 30, place: 'Level 3' }, 'Asia/Dhaka'));
}

/** The reminder of a visit as svc-messages keeps it. @param dueAt when it is to be sent */
function reminder(record: AppointmentRecord, dueAt: Date): MessageRecord {
  const { _id, patientId, patientEmail, patientName, date, time } = record;
  const id = _id.toHexString();
  return newMessage(
    {
      key: `reminder:${id}:${date}T${time}:24`,
      kind: 'appointment-reminder',
      to: { account: patientId, email: patientEmail, name: patientName },
      data: { visit: visitInMessage(record, 0) },
      dueAt,
      lane: 1,
      expiresAt: new Date(dueAt.getTime() + 3_600_000),
      visit: id,
    },
    { MAIL_FROM: 'Clinic <clinic@clinic.example>' },
    new Date(),
  );
}

/** Writes doctors and visits. @returns the visits */
export async function writeVisits(clinic: Db, size: number): Promise<AppointmentRecord[]> {
  const visits = Array.from({ length: size }, (_, index) => visit(index));
  const profiles = Array.from({ length: doctors }, (_, index) => doctor(index));
  await write(clinic.collection('doctors'), profiles);
  await write(clinic.collection('appointments'), visits);
  return visits;
}

/** Writes a reminder of each visit. @param dueAt when all of them are to be sent */
export function writeReminders(ledger: Db, visits: readonly AppointmentRecord[], dueAt: Date): Promise<void> {
  return write(
    ledger.collection('messages'),
    visits.map((record) => reminder(record, dueAt)),
  );
}

async function write(collection: Collection, records: readonly object[]): Promise<void> {
  for (let from = 0; from < records.length; from += batch)
    await collection.insertMany(records.slice(from, from + batch), { ordered: false });
}
