import { after } from 'node:test';
import { addDays, clinicMoment, minuteOf, timeOf, type CallBody, type Problem, type Role } from '@clinic/contracts';
import type { Appointment } from '../contract/schemas.ts';
import { weekdays } from '@clinic/contracts/opening-days';
import type { StaffAccount } from '@clinic/service-kit';
import { startTestService, type TestFetch } from '@clinic/service-kit/testing';
import { ObjectId, type Document, type Filter } from 'mongodb';
import { appointmentRecord, type AppointmentRecord, type NewAppointment } from '../appointments/appointment-record.ts';
import { promiseOf, type Visit } from '../appointments/promise.ts';
import { collectionsOf } from '../collections.ts';
import { doctorRecord, type DoctorRecord, type NewDoctor } from '../doctors/doctor-record.ts';
import { allTimes } from '../schedule/working-times.ts';
import { clinicService } from '../service.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';

export const admin = { role: 'admin', email: 'admin@clinic.example' } as const;
export const ann = { role: 'patient', email: 'ann@mail.example' } as const;
export const ben = { role: 'patient', email: 'ben@mail.example' } as const;
export const drGrey = { role: 'doctor', email: 'grey@clinic.example' } as const;
export const drHouse = { role: 'doctor', email: 'house@clinic.example' } as const;

/** Each minute from a time on, 'HH:mm': a doctor with these times has appointments of a minute. */
export const minutesFrom = (time: string, count: number): string[] =>
  Array.from({ length: count }, (_, minute) => timeOf(minuteOf(time) + minute));

/** Weekly hours with appointments of some minutes at just these times, every day. */
export function hoursAt(times: readonly string[], minutes = 30): Pick<DoctorRecord, 'availableTimes' | 'hours'> {
  const spans = times.map((from) => ({ from, until: timeOf(minuteOf(from) + minutes), place: '' }));
  const hours = weekdays.flatMap((day) => spans.map((span) => ({ day, ...span })));
  const schedule = { periods: [{ slotMinutes: minutes, bufferMinutes: 0, hours }], exceptions: [] };
  const listedTimes = allTimes(schedule);
  return { availableTimes: listedTimes, hours: { ...schedule, listedTimes } };
}

/** The clinic service on real sockets and a real database; for tests. */
export async function startTestClinic(env: Readonly<Record<string, string>> = {}) {
  const service = await startTestService(clinicService, {
    env: { CLINIC_TZ: 'Asia/Dhaka', CLINIC_OPENING_HOURS: '00:00-24:00', ...env },
  });
  const { doctors, pharmacists, appointments } = collectionsOf(service.db);
  const { date: today } = clinicMoment(new Date(), service.context.settings.CLINIC_TZ);
  return {
    ...service,
    doctors,
    pharmacists,
    appointments,
    /** 'yyyy-mm-dd' in the clinic's time zone. */
    today,
    /** A day on which every time of day is still to come. */
    soon: addDays(today, 3),
    /** @param account - whether the profile already has the account of its email address */
    async addDoctor(fields: Partial<NewDoctor> = {}, account = true): Promise<DoctorRecord> {
      const doctor = doctorRecord({
        _id: new ObjectId(),
        name: 'Dr. Meredith Grey',
        email: drGrey.email,
        qualification: 'MD',
        education: 'Dartmouth',
        specialization: 'Cardiologist',
        experience: 9,
        location: 'Level 3',
        image: '',
        isAvailable: true,
        availableTimes: ['09:00', '09:30', '10:00'],
        rating: 4.5,
        createdAt: new Date(),
        ...(account && { accountId: service.issuer.idOf(fields.email ?? drGrey.email) }),
        ...fields,
      });
      await doctors.insertOne(doctor);
      return doctor;
    },
  };
}

/** {@link startTestClinic} for all tests of a file; it is closed after the last one. */
export async function sharedClinic(env?: Readonly<Record<string, string>>): Promise<TestClinic> {
  const clinic = await startTestClinic(env);
  after(() => clinic.close());
  return clinic;
}

export type TestClinic = Awaited<ReturnType<typeof startTestClinic>>;

/** Who makes a request. */
export type Who = Parameters<TestClinic['as']>[0];

/** Deletes everything in the collections of these names. */
export async function emptyCollections({ db }: Pick<TestClinic, 'db'>, ...names: readonly string[]): Promise<void> {
  for (const name of names) await db.collection(name).deleteMany({});
}

/** A record's history, in order. */
export function eventsOf({ db }: Pick<TestClinic, 'db'>, id: string) {
  return findEvents({ db }, { 'record.id': id });
}

/** The events that a filter finds, in order. */
export function findEvents({ db }: Pick<TestClinic, 'db'>, filter: Filter<Document>) {
  return db.collection('events').find(filter).sort({ at: 1, _id: 1 }).toArray();
}

/** The answer to a request that succeeds. */
export async function read<Answer>(as: TestFetch, path: string): Promise<Answer> {
  return readJson<Answer>(as(path), 200);
}

/** A request to join Dr. Grey's waitlist for the mornings of `clinic.soon`. */
export function waitlistRequest(
  clinic: Pick<TestClinic, 'soon'>,
  who: { readonly email: string },
  fields: Partial<CallBody<'joinWaitlist'>> = {},
): CallBody<'joinWaitlist'> {
  return {
    patientemail: who.email,
    doctoremail: drGrey.email,
    from: clinic.soon,
    until: clinic.soon,
    parts: ['morning'],
    patientname: 'Pat Lee',
    age: 40,
    address: '5 Lake Road',
    number: '+880 1555 010999',
    ...fields,
  };
}

/** A booking form's request: Ann with Dr. Grey at nine by default. */
export function booking(
  clinic: Pick<TestClinic, 'soon'>,
  fields: Partial<CallBody<'bookAppointment'>> = {},
): CallBody<'bookAppointment'> {
  return {
    patientname: 'Ann Lee',
    patientemail: ann.email,
    age: 34,
    address: '5 Lake Road',
    number: '+880 1555 010999',
    date: clinic.soon,
    time: '09:00',
    doctorname: 'Dr. Meredith Grey',
    doctoremail: drGrey.email,
    status: 'Pending',
    ...fields,
  };
}

/** Sends a booking form's request. */
export function requestBooking(
  clinic: Pick<TestClinic, 'as' | 'soon'>,
  who: Who,
  fields: Partial<CallBody<'bookAppointment'>> = {},
): Promise<Response> {
  return clinic.as(who)('/appoinments', { method: 'POST', json: booking(clinic, fields) });
}

/** An appointment for the database, Ann's with Dr. Grey by default, for half an hour on Level 3; without accounts. */
export function storedAppointment(
  fields: Partial<NewAppointment> & Pick<NewAppointment, 'date' | 'time'>,
  visit: Partial<Visit> = {},
  timeZone = 'Asia/Dhaka',
): AppointmentRecord {
  const appointment = {
    _id: new ObjectId(),
    patientName: 'Ann Lee',
    patientEmail: ann.email,
    doctorName: 'Dr. Meredith Grey',
    doctorEmail: drGrey.email,
    age: 34,
    address: '5 Lake Road',
    phone: '+880 1555 010999',
    status: 'Confirmed' as const,
    bookedAt: new Date(),
    ...fields,
  };
  return appointmentRecord(appointment, promiseOf(appointment, { minutes: 30, place: 'Level 3', ...visit }, timeZone));
}

/** Books as the patient and expects success. */
export async function book(
  clinic: TestClinic,
  fields: Partial<CallBody<'bookAppointment'>> = {},
): Promise<Appointment> {
  const answer = await requestBooking(clinic, { role: 'patient', email: fields.patientemail ?? ann.email }, fields);
  if (answer.status !== 201) throw new Error(`booking answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Appointment;
}

/** Requests another slot of the same doctor. */
export function reschedule(
  clinic: Pick<TestClinic, 'as'>,
  who: Who,
  id: string,
  date: string,
  time: string,
): Promise<Response> {
  return clinic.as(who)(`/appoinments/${id}`, { method: 'PATCH', json: { date, time } });
}

/** Requests another status. */
export function setStatus(clinic: Pick<TestClinic, 'as'>, who: Who, id: string, newStatus: string): Promise<Response> {
  return clinic.as(who)(`/update-appoinment/${id}`, { method: 'PATCH', json: { newStatus } });
}

/** Status and problem code of a response, to compare both at once. */
export async function verdict(answer: Response | Promise<Response>): Promise<string> {
  const { status, headers } = await answer;
  const body = (await (await answer).json()) as { code?: string };
  return headers.get('content-type')?.startsWith('application/problem+json')
    ? `${status} ${body.code}`
    : String(status);
}

/** Status and rejected fields of a response, to compare both at once. */
export async function rejectionOf(answer: Response): Promise<[status: number, fields: string[] | undefined]> {
  return [answer.status, ((await answer.json()) as Problem).errors?.map(({ field }) => field)];
}

/** Statuses of responses, ascending. */
export const statusesOf = (answers: readonly Response[]): number[] =>
  answers.map(({ status }) => status).toSorted((one, other) => one - other);

/** A member of staff as svc-identity reports them. */
export function staffOf(
  { issuer }: Pick<TestClinic, 'issuer'>,
  { email, role }: { readonly email: string; readonly role: Role },
  more: Partial<StaffAccount> = {},
): StaffAccount {
  return { id: issuer.idOf(email), email, role, active: true, ...more };
}
