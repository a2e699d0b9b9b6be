import type { Appointment, Doctor } from '@clinic/svc-clinic/contract/schemas';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { bystanders, people } from '../support/three-services.ts';
import { type ClinicRecords, missing } from './clinic-records.ts';
import type { Request, Requests } from './request.ts';

/** People whose address is in records that aren't theirs: they never confirmed it, or lost the role. */
export const withoutRights = {
  /** Has registered the address of a doctor's profile. */
  'an unclaimed doctor': 'unclaimed.doctor@clinic.example',
  /** Has registered an address under which staff booked an appointment. */
  'an unclaimed patient': 'unconfirmed.matrix@mail.example',
  'a former doctor': bystanders.at(-2) ?? '',
} as const;
type WithoutRights = keyof typeof withoutRights;

/** The appointment, and for doctors the profile, under the address of somebody without rights to it. */
async function readRecordsOf({ as, anyone }: ClinicRecords, who: WithoutRights) {
  const inTheOffice = (await as(people.admin.email))('clinic');
  const email = withoutRights[who];
  const [record = missing(`an appointment of ${who}`)] = await readJson<Appointment[]>(
    inTheOffice(`/appoinments?email=${email}`),
  );
  const [profileRecord] = await readJson<Doctor[]>(anyone('clinic')(`/doctors?email=${email}`));
  return { email, record, profileRecord };
}

/** Calls on records under the addresses of {@link withoutRights}, which have to be made before. */
export function attemptsWithoutRights(records: ClinicRecords): Requests {
  const { freeSlot } = records;
  const recordsOf = (who: WithoutRights) => readRecordsOf(records, who);
  const aboutRecordOf = (who: WithoutRights, body?: () => Request['body']) => async (): Promise<Request> => {
    const { record } = await recordsOf(who);
    return {
      params: { id: record._id },
      record,
      ...(who === 'an unclaimed patient' && { unclaimed: 'patient' as const }),
      ...(body && { body: body() }),
    };
  };
  const aboutProfileOf = (who: WithoutRights, body?: Request['body']) => async (): Promise<Request> => {
    const { profileRecord } = await recordsOf(who);
    const found = profileRecord ?? missing(`the profile of ${who}`);
    return { params: { id: found._id }, record: { ...found }, ...(body && { body }) };
  };
  const listOf =
    (who: WithoutRights, query: Request['query'] = {}) =>
    async (): Promise<Request> => {
      const { email, record } = await recordsOf(who);
      return { query: { email, ...query }, hidden: record.patientname };
    };
  /** What somebody without rights might try with records under their address. */
  const attemptsOf = (who: WithoutRights): Requests => ({
    [`listAppointments of ${who}`]: listOf(who, { limit: '50' }),
    [`exportClinicData of ${who}`]: listOf(who),
    [`getAppointmentHistory of ${who}`]: aboutRecordOf(who),
    [`getAppointmentCalendar of ${who}`]: aboutRecordOf(who),
    // The first status of all, so that the request is valid for everybody.
    [`changeAppointmentStatus of ${who}`]: aboutRecordOf(who, () => ({ newStatus: 'Confirmed' })),
    [`correctAppointment of ${who}`]: aboutRecordOf(who, () => ({ number: '+880 1555 777010' })),
  });
  const attemptsOfDoctor = (who: 'an unclaimed doctor' | 'a former doctor'): Requests => ({
    ...attemptsOf(who),
    [`listUnconfirmedAppointments of ${who}`]: listOf(who, { limit: '50' }),
    [`findPatients of ${who}`]: async () => {
      const { email, record } = await recordsOf(who);
      return { query: { email, q: record.patientname }, hidden: record.patientname };
    },
    [`getProfiles of ${who}`]: async () => {
      const { email, profileRecord } = await recordsOf(who);
      // What the directory says about former doctors stays theirs to read.
      return { params: { email }, ...(who === 'an unclaimed doctor' && { hidden: profileRecord?._id }) };
    },
    [`changeAvailability of ${who}`]: aboutProfileOf(who, { daysOff: [] }),
    [`listAppointmentsOutsideTimes of ${who}`]: aboutProfileOf(who),
  });
  return {
    ...attemptsOfDoctor('an unclaimed doctor'),
    // The only time of that doctor.
    'rescheduleAppointment of an unclaimed doctor': aboutRecordOf('an unclaimed doctor', () => ({
      ...freeSlot(),
      time: '10:00',
    })),
    ...attemptsOf('an unclaimed patient'),
    'rescheduleAppointment of an unclaimed patient': aboutRecordOf('an unclaimed patient', freeSlot),
    ...attemptsOfDoctor('a former doctor'),
  };
}
