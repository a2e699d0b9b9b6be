import { addDays } from '@clinic/contracts';
import { assertOwner, ProblemError, readPage, type Handler, type ServiceRequest } from '@clinic/service-kit';
import { ObjectId } from 'mongodb';
import { toAppointment } from '../appointments/appointment-record.ts';
import { freeTimesOfDay } from '../appointments/free-times.ts';
import { takenSlots } from '../appointments/taken-times.ts';
import { clinicClock } from '../clinic-clock.ts';
import { collectionsOf } from '../collections.ts';
import { historyRecorder } from '../record-change.ts';
import type { ClinicContext } from '../settings.ts';
import { appointmentsOutsideTimes } from './appointments-outside-times.ts';
import { changeAvailability } from './change-availability.ts';
import { isBookable, type DoctorRecord } from './doctor-record.ts';
import { doctorsByTime, isByTime } from './doctors-by-time.ts';
import { doctorFilter, doctorSorts } from './find-doctors.ts';
import { showDoctors } from './show-doctors.ts';

/** Handlers of the calls under /doctors. */
export function doctorHandlers(context: ClinicContext) {
  const { doctors, appointments } = collectionsOf(context.db);
  const rules = context.settings;
  const show = showDoctors(context);

  async function doctorById(id: string): Promise<DoctorRecord> {
    const doctor = await doctors.findOne({ _id: new ObjectId(id) });
    if (!doctor) throw new ProblemError('not_found', { detail: 'We can’t find this doctor.' });
    return doctor;
  }

  const listDoctors: Handler<'listDoctors'> = async ({ query }) => {
    if (query._id !== undefined) {
      const [doctor] = await show([await doctorById(query._id)]);
      return doctor ?? [];
    }
    if (isByTime(query)) return doctorsByTime(context, query);
    return readPage(doctors, {
      filter: doctorFilter(query),
      query,
      sorts: doctorSorts,
      defaultSort: 'name',
      map: { batch: show },
    });
  };

  const listFreeTimes: Handler<'listFreeTimes'> = async ({ params, query: { date } }) => {
    const clock = clinicClock(rules);
    const doctor = await doctorById(params.id);
    const taken = await takenSlots(appointments, [doctor.email], date, date);
    return { date, timeZone: clock.timeZone, ...freeTimesOfDay(doctor, date, taken(doctor.email, date), clock) };
  };

  const listFreeDays: Handler<'listFreeDays'> = async ({ params, query: { from, until } }) => {
    const clock = clinicClock(rules);
    const doctor = await doctorById(params.id);
    const taken = await takenSlots(appointments, [doctor.email], from, until);
    const days: { date: string; free: number }[] = [];
    for (let date = from; date <= until; date = addDays(date, 1)) {
      days.push({ date, free: freeTimesOfDay(doctor, date, taken(doctor.email, date), clock).times.length });
    }
    return { days, anyTime: isBookable(doctor) && doctor.availableTimes.length === 0, timeZone: clock.timeZone };
  };

  async function ownProfile({
    params,
    call,
    caller,
  }: ServiceRequest<'changeAvailability' | 'listAppointmentsOutsideTimes'>): Promise<DoctorRecord> {
    const doctor = await doctorById(params.id);
    assertOwner(call.access, caller, { doctor: doctor.accountId });
    return doctor;
  }

  const listOutside: Handler<'listAppointmentsOutsideTimes'> = async (request) => {
    const found = await appointmentsOutsideTimes(appointments, await ownProfile(request), clinicClock(rules));
    return found.map((record) => toAppointment(record, rules, request.caller));
  };

  const change: Handler<'changeAvailability'> = async (request) => {
    await ownProfile(request);
    const { today } = clinicClock(rules);
    const changed = await context.inTransaction((session) =>
      changeAvailability(
        {
          doctors,
          id: new ObjectId(request.params.id),
          requested: request.body,
          today,
          recordChange: historyRecorder(context, request),
        },
        session,
      ),
    );
    const [doctor] = await show([changed]);
    if (!doctor) throw new Error('the changed doctor was not shown');
    return doctor;
  };

  return {
    listDoctors,
    listFreeTimes,
    listFreeDays,
    listAppointmentsOutsideTimes: listOutside,
    changeAvailability: change,
  };
}
