import { after } from 'node:test';
import { addDays, clinicMoment, minuteOf, timeOf, type CallBody, type Problem, type Role } from '@clinic/contracts';
import type { Appointment } from '../contract/schemas.ts';
import { weekdays } from '@clinic/contracts/opening-days';
import type { StaffAccount } from '@clinic/service-kit';
import { startTestService, type TestFetch, type TokenPerson } from '@clinic/service-kit/testing';
import { ObjectId, type Document, type Filter } from 'mongodb';
import { appointmentRecord, type AppointmentRecord, type NewAppointment } from '../appointments/appointment-record.ts';
import { promiseOf, type Visit } from '../appointments/promise.ts';
import { collectionsOf } from '../collections.ts';
import { doctorRecord, type DoctorRecord, type NewDoctor } from '../doctors/doctor-record.ts';
import { allTimes } from '../schedule/working-times.ts';
import { clinicService } from '../service.ts';
import { ann, drGrey } from './people.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';

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

/** Who makes a request. */
export type Who = Role | TokenPerson;

/** The requests that tests make most, of the service or of one of its replicas. */
export function clinicRequests<Account = never>(as: (who: Account | TokenPerson) => TestFetch, soon: string) {
  /** A booking form's request: Ann with Dr. Grey at nine by default. */
  const booking = (fields: Partial<CallBody<'bookAppointment'>> = {}): CallBody<'bookAppointment'> => ({
    userId: undefined,
    patientname: 'Ann Lee',
    patientemail: ann.email,
    age: 34,
    address: '5 Lake Road',
    number: '+880 1555 010999',
    date: soon,
    time: '09:00',
    doctorname: 'Dr. Meredith Grey',
    doctoremail: drGrey.email,
    status: 'Pending',
    ...fields,
  });
  /** Sends a booking form's request. */
  const requestBooking = (
    who: Account | TokenPerson,
    fields: Partial<CallBody<'bookAppointment'>> = {},
  ): Promise<Response> => as(who)('/appoinments', { method: 'POST', json: booking(fields) });
  return {
    booking,
    requestBooking,
    /** Books as the patient and expects success. */
    book: (fields: Partial<CallBody<'bookAppointment'>> = {}): Promise<Appointment> =>
      readJson(requestBooking({ role: 'patient', email: fields.patientemail ?? ann.email }, fields), 201),
    /** Requests another slot of the same doctor. */
    reschedule: (who: Account | TokenPerson, id: string, date: string, time: string): Promise<Response> =>
      as(who)(`/appoinments/${id}`, { method: 'PATCH', json: { date, time } }),
    /** Requests another status. */
    setStatus: (who: Account | TokenPerson, id: string, newStatus: string): Promise<Response> =>
      as(who)(`/update-appoinment/${id}`, { method: 'PATCH', json: { newStatus } }),
    /** A request to join Dr. Grey's waitlist for the mornings of `soon`. */
    waitlistRequest: (
      who: { readonly email: string },
      fields: Partial<CallBody<'joinWaitlist'>> = {},
    ): CallBody<'joinWaitlist'> => ({
      patientemail: who.email,
      userId: undefined,
      doctoremail: drGrey.email,
      from: soon,
      until: soon,
      parts: ['morning'],
      patientname: 'Pat Lee',
      age: 40,
      address: '5 Lake Road',
      number: '+880 1555 010999',
      ...fields,
    }),
  };
}

/** The clinic service on real sockets and a real database; for tests. */
export async function startTestClinic(env: Readonly<Record<string, string>> = {}) {
  const service = await startTestService(clinicService, {
    env: { CLINIC_TZ: 'Asia/Dhaka', CLINIC_OPENING_HOURS: '00:00-24:00', QUIET_HOURS: 'none', ...env },
  });
  const { doctors, pharmacists, appointments } = collectionsOf(service.db);
  const { date: today } = clinicMoment(new Date(), service.context.settings.CLINIC_TZ);
  const soon = addDays(today, 3);
  const findEvents = (filter: Filter<Document>) =>
    service.db.collection('events').find(filter).sort({ at: 1, _id: 1 }).toArray();
  return {
    ...service,
    ...clinicRequests<Role>((who) => service.as(who), soon),
    doctors,
    pharmacists,
    appointments,
    /** 'yyyy-mm-dd' in the clinic's time zone. */
    today,
    /** A day on which every time of day is still to come. */
    soon,
    /** Deletes everything in the collections of these names. */
    async empty(...names: readonly string[]): Promise<void> {
      for (const name of names) await service.db.collection(name).deleteMany({});
    },
    /** The events that a filter finds, in order. */
    findEvents,
    /** A record's history, in order. */
    eventsOf: (id: string) => findEvents({ 'record.id': id }),
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

/** The answer to a request that succeeds. */
export async function read<Answer>(as: TestFetch, path: string): Promise<Answer> {
  return readJson<Answer>(as(path), 200);
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

/** A member of staff as svc-identity reports them. */
export function staffOf(
  { issuer }: Pick<TestClinic, 'issuer'>,
  { email, role }: { readonly email: string; readonly role: Role },
  more: Partial<StaffAccount> = {},
): StaffAccount {
  return { id: issuer.idOf(email), email, role, active: true, ...more };
}
