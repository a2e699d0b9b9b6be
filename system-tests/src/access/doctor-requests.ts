import { addDays } from '@clinic/contracts';
import type { Holiday, Schedule } from '@clinic/svc-clinic/contract/schedule-schemas';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { people } from '../support/three-services.ts';
import { type ClinicRecords, missing } from './clinic-records.ts';
import { page, plain, type Requests } from './request.ts';

const { admin, doctor } = people;

const newProfile = (number: number) => ({
  name: 'New Doctor',
  email: `new.doctor${number}@clinic.example`,
  qualification: 'MD',
  specialization: 'Dermatology',
  experience: 3,
  role: 'doctor',
});

/** Requests for the calls of svc-clinic about profiles, working times and holidays. */
export function doctorRequests(records: ClinicRecords) {
  const { as, doctorRecord, doctorId, nextNumber, freeSlot } = records;
  const newHoliday = () => {
    const day = addDays(freeSlot().date, 300);
    return { name: 'Matrix day', from: day, until: day };
  };
  return {
    listDoctors: plain(page),
    listFreeTimes: () => Promise.resolve({ ...doctorId, query: { date: freeSlot().date } }),
    listFreeDays: () => {
      const { date } = freeSlot();
      return Promise.resolve({ ...doctorId, query: { from: date, until: addDays(date, 5) } });
    },
    changeAvailability: plain({ ...doctorId, body: { isAvailable: true, daysOff: [] } }),
    getSchedule: plain(doctorId),
    previewSchedule: plain({ ...doctorId, body: { periods: [], daysOff: [], exceptions: [] } }),
    changeSchedule: async () => {
      const schedule = await readJson<Schedule>(
        (await as(doctor.email))('clinic')(`/doctors/${doctorRecord._id}/schedule`),
      );
      return { ...doctorId, body: schedule };
    },
    // Years after the others' days: it closes none of them.
    closeDay: plain({ ...doctorId, body: { date: addDays(freeSlot().date, 2000), closed: true } }),
    getClinicCalendar: () => {
      const { date } = freeSlot();
      return Promise.resolve({
        query: { doctor: doctorRecord._id, from: date, until: addDays(date, 6) },
        record: doctorId.record,
      });
    },
    listHolidays: plain(),
    listVisitsOnHolidays: plain(),
    addHoliday: async () => ({ body: newHoliday() }),
    removeHoliday: async () => {
      const { holiday } = await readJson<{ readonly holiday: Holiday }>(
        (await as(admin.email))('clinic')('/doctors/holidays', { method: 'POST', json: newHoliday() }),
      );
      return { params: { id: holiday._id } };
    },
    listPharmacists: plain(page),
    createProfile: async () => ({ body: newProfile(nextNumber()) }),
    changeDoctor: plain({ ...doctorId, body: { location: 'Level 2' } }),
    changePharmacist: async () => {
      const [pharmacist] = await readJson<{ readonly _id: string }[]>(
        (await as(admin.email))('clinic')('/pharmacists?limit=1'),
      );
      return { params: { id: (pharmacist ?? missing('a pharmacist'))._id }, body: { status: 'active' } };
    },
    getProfiles: plain({ params: { email: doctor.email } }),
    // Switched off unless the operator publishes free times.
    getSchedulingManifest: plain({ params: { manifest: '$bulk-publish' }, letIn: 404 }),
    getSchedulingFile: plain({ params: { file: 'slots.ndjson' }, letIn: 404 }),
  } satisfies Requests;
}
