import { clinicMoment } from '@clinic/contracts';
import { ProblemError, readPage, type Handler } from '@clinic/service-kit';
import { ObjectId } from 'mongodb';
import { freeTimesOfDay } from '../appointments/free-times.ts';
import { takenTimes } from '../appointments/taken-times.ts';
import { collectionsOf } from '../collections.ts';
import type { ClinicContext } from '../settings.ts';
import type { DoctorRecord } from './doctor-record.ts';
import { doctorFilter, doctorSorts } from './find-doctors.ts';
import { showDoctors } from './show-doctors.ts';

/** The calls under /doctors. */
export function doctorHandlers(context: ClinicContext) {
  const { doctors, appointments } = collectionsOf(context.db);
  const show = showDoctors(context);

  async function doctorById(id: string): Promise<DoctorRecord> {
    const doctor = await doctors.findOne({ _id: new ObjectId(id) });
    if (!doctor) throw new ProblemError('not_found', { detail: 'There is no such doctor.' });
    return doctor;
  }

  const listDoctors: Handler<'listDoctors'> = async ({ query }) => {
    if (query._id !== undefined) {
      const [doctor] = await show([await doctorById(query._id)]);
      return doctor ?? [];
    }
    return readPage(doctors, { filter: doctorFilter(query), query, sorts: doctorSorts, defaultSort: 'name', map: { batch: show } });
  };

  const listFreeTimes: Handler<'listFreeTimes'> = async ({ params, query: { date } }) => {
    const timeZone = context.settings.CLINIC_TZ;
    const doctor = await doctorById(params.id);
    const taken = await takenTimes(appointments, doctor.email, date);
    return { date, timeZone, ...freeTimesOfDay(doctor, date, taken, clinicMoment(new Date(), timeZone)) };
  };

  return { listDoctors, listFreeTimes };
}
