import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import type { AttendanceState } from '../contract/attendance.ts';
import type { VisitOfDay } from '../contract/attendance-calls.ts';
import type { Appointment } from '../contract/schemas.ts';
import { ann, drGrey } from './people.ts';
import { read, storedAppointment, type TestClinic, type Who } from './test-clinic.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';

/** Today's visits, and what is noted about them. */
export function attendanceAt(clinic: TestClinic) {
  const note = (who: Who, id: string, from: AttendanceState, to: AttendanceState) =>
    clinic.as(who)(`/appoinments/${id}/attendance`, { method: 'PATCH', json: { from, to } });
  return {
    /** Stores Ann's visit to Dr. Grey, at midnight: its time has come. */
    visit: async (fields: Partial<AppointmentRecord> = {}): Promise<string> => {
      const record = storedAppointment({
        date: clinic.today,
        time: '00:00',
        patientId: clinic.issuer.idOf(ann.email),
        doctorAccountId: clinic.issuer.idOf(drGrey.email),
        ...fields,
      });
      await clinic.appointments.insertOne({ ...record, ...fields });
      return record._id.toHexString();
    },
    note,
    /** Notes something and expects success. */
    noted: (who: Who, id: string, from: AttendanceState, to: AttendanceState) =>
      readJson<Appointment>(note(who, id, from, to), 200),
    /** What the only visit has noted. */
    stored: async () => (await clinic.appointments.findOne({}))?.attendance,
    day: (who: Who, query = '') =>
      read<{ readonly visits: VisitOfDay[] }>(clinic.as(who), `/appoinments/day?date=${clinic.today}${query}`),
    /** A visit's history. */
    steps: async (id: string) =>
      (await clinic.eventsOf(id)).map((event) => `${event['before'].attendance} → ${event['after'].attendance}`),
  };
}
