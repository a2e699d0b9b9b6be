import { countsKey, readPage, sharedList, type Handler, type ServiceRequest } from '@clinic/service-kit';
import { toAppointment } from '../appointments/appointment-record.ts';
import { clinicClock } from '../clinic-clock.ts';
import { collectionsOf } from '../collections.ts';
import { requestedChange } from '../record-change.ts';
import { withHolidays } from '../schedule/holidays.ts';
import type { ClinicContext } from '../settings.ts';
import { appointmentsOutsideTimes, misfitOf } from './appointments-outside-times.ts';
import { changeAvailability } from './change-availability.ts';
import { searchFieldNames } from './doctor-record.ts';
import { freeDays, freeTimesOn } from './doctor-free-times.ts';
import { doctorsByTime, isByTime } from './doctors-by-time.ts';
import { doctorFilter, doctorSorts } from './find-doctors.ts';
import { doctorById, ownDoctor } from './read-doctor.ts';
import { showDoctors } from './show-doctors.ts';

/** Handlers of the calls under /doctors. */
export function doctorHandlers(context: ClinicContext) {
  const collections = collectionsOf(context.db);
  const { doctors, appointments } = collections;
  const rules = context.settings;
  const show = showDoctors(context);
  const now = () => withHolidays(clinicClock(rules), collections);

  const readDoctors = sharedList(async (query: ServiceRequest<'listDoctors'>['query']) => {
    if (isByTime(query)) return doctorsByTime(context, query);
    return readPage(doctors, {
      filter: doctorFilter(query),
      countBy: doctorFilter(query, countsKey),
      query,
      sorts: doctorSorts,
      defaultSort: 'name',
      map: { batch: show },
      unread: searchFieldNames,
    });
  });

  const listDoctors: Handler<'listDoctors'> = async ({ query }) => {
    if (query._id === undefined) return readDoctors(query);
    const [doctor] = await show([await doctorById(doctors, query._id)]);
    return doctor ?? [];
  };

  const listFreeTimes: Handler<'listFreeTimes'> = async ({ params, query }) => {
    const [clock, doctor] = await Promise.all([now(), doctorById(doctors, params.id)]);
    return freeTimesOn(appointments, doctor, query.date, clock);
  };

  const listFreeDays: Handler<'listFreeDays'> = async ({ params, query }) => {
    const [clock, doctor] = await Promise.all([now(), doctorById(doctors, params.id)]);
    return freeDays(appointments, doctor, query, clock);
  };

  const listOutside: Handler<'listAppointmentsOutsideTimes'> = async (request) => {
    const [doctor, clock] = [await ownDoctor(doctors, request), await now()];
    const found = await appointmentsOutsideTimes(appointments, doctor, clock);
    return found.map((record) => ({
      ...toAppointment(record, rules, request.caller),
      ...misfitOf(record, doctor, clock),
    }));
  };

  const change: Handler<'changeAvailability'> = async (request) => {
    await ownDoctor(doctors, request);
    const clock = await now();
    const changed = await context.inTransaction((session) =>
      changeAvailability(requestedChange(context, request), clock, session),
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
