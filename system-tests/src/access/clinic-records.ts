import { addDays, clinicMoment, type User } from '@clinic/contracts';
import type { Appointment, Doctor } from '@clinic/svc-clinic/contract/schemas';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { bystanders, people, type ThreeServices } from '../support/three-services.ts';
import type { Request } from './request.ts';

const { patient, doctor, admin } = people;

/** What the patient registers with. */
export const patientProfile = {
  firstName: 'Amina',
  lastName: 'Khatun',
  phone: '+880 1555 010400',
  dateOfBirth: '1991-06-22',
};

/** Records of the running clinic that requests are about, and ways to make more of them. */
export type ClinicRecords = Awaited<ReturnType<typeof openRecords>>;

/** Reads the records from the running services. */
export async function openRecords(services: ThreeServices) {
  const sessions = new Map<string, { readonly cookie: string; readonly from: number }>();
  const as = async (email: string): Promise<ReturnType<ThreeServices['from']>> => {
    let session = sessions.get(email);
    // Long before its token expires: on a busy machine a test may take longer.
    if (!session || performance.now() - session.from > 120_000) {
      session = { cookie: await services.signIn(email), from: performance.now() };
      sessions.set(email, session);
    }
    return services.from(session.cookie);
  };

  const anyone = services.from('');
  const doctors = await readJson<Doctor[]>(anyone('clinic')('/doctors'));
  const doctorRecord = doctors.find(({ email }) => email === doctor.email) ?? missing('the doctor');
  const colleague =
    doctors.find(({ email, isAvailable }) => isAvailable && email !== doctor.email) ?? missing('a colleague');
  // The second and third are locked permanently and deleted.
  const [bystander = '', locked = '', deleted = ''] = bystanders;

  let made = 0;
  /** A different number each time. */
  const nextNumber = (): number => (made += 1);
  /** Free slots of the doctor, each on a separate day. */
  const freeSlot = (): { date: string; time: string } => ({
    date: addDays(clinicMoment(new Date(), 'Asia/Dhaka').date, 60 + nextNumber()),
    time: doctorRecord.availableTimes[0] ?? '09:00',
  });
  const booking = () => ({
    patientname: 'Amina Khatun',
    patientemail: patient.email,
    age: 35,
    address: '12 Lake Road',
    number: patientProfile.phone,
    ...freeSlot(),
    doctorname: doctorRecord.name,
    doctoremail: doctor.email,
  });
  const appointment = async (): Promise<Appointment> =>
    readJson((await as(patient.email))('clinic')('/appoinments', { method: 'POST', json: booking() }));
  const user = async (email: string): Promise<User> => readJson((await as(admin.email))('identity')(`/users/${email}`));
  const aboutAppointment = async (body?: () => Request['body']): Promise<Request> => {
    const record = await appointment();
    return { params: { id: record._id }, record, ...(body && { body: body() }) };
  };
  const doctorId = { params: { id: doctorRecord._id }, record: { ...doctorRecord } };
  return {
    services,
    as,
    anyone,
    doctorRecord,
    doctorId,
    colleague,
    bystander,
    locked,
    deleted,
    nextNumber,
    freeSlot,
    booking,
    appointment,
    aboutAppointment,
    user,
  };
}

/** @throws Error that names what the demo clinic lacks */
export function missing(what: string): never {
  throw new Error(`the demo clinic lacks ${what}`);
}
