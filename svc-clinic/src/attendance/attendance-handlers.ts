import { addDays, isAllowed, isFinal, minutesOfDay, timeOf } from '@clinic/contracts';
import { assertOwner, SharedCount, type Handler } from '@clinic/service-kit';
import type { Filter } from 'mongodb';
import { attendanceStates, isHere } from '../contract/attendance.ts';
import { desk } from '../contract/desk.ts';
import { appointmentById, appointmentChangeOf, changeOfSeveral } from '../appointments/appointment-change.ts';
import {
  unlistedFieldNames,
  ownershipOf,
  toAppointment,
  type AppointmentRecord,
} from '../appointments/appointment-record.ts';
import { clinicClock } from '../clinic-clock.ts';
import { collectionsOf, type ClinicCollections } from '../collections.ts';
import { calendarLimits, scheduleLimits } from '../contract/limits.ts';
import { appointmentTransitions, slotHoldingStatuses } from '../contract/transitions.ts';
import type { ClinicContext } from '../settings.ts';
import { arrivalCodeOf } from './arrival-codes.ts';
import { askedToConfirm } from './asked-to-confirm.ts';
import { arriveByCode, wrongCodes } from './arrive-by-code.ts';
import { attendanceOf, isVisitOfToday, missedVisits, stateOf } from './attendance-record.ts';
import { changeAttendance } from './change-attendance.ts';
import { aheadOf } from './waiting-room.ts';

const unread = Object.fromEntries(unlistedFieldNames.map((name) => [name, 0]));

/** Handlers of the calls about the day of a visit. */
export function attendanceHandlers(context: ClinicContext) {
  const collections = collectionsOf(context.db);
  const rules = context.settings;
  const tries = new SharedCount(context, 'arrival code', wrongCodes.most, wrongCodes.windowMs);
  /** Whoever is expected today says it at the desk. */
  const saysCode = (record: AppointmentRecord): boolean =>
    isVisitOfToday(record, clinicClock(rules)) &&
    stateOf(record) === 'expected' &&
    !isFinal(appointmentTransitions, record.status);

  const getDay: Handler<'getDay'> = async ({ query: { date, email }, caller }) => {
    const clock = clinicClock(rules);
    const whose = isAllowed(caller, desk) ? { doctorEmail: email } : { account: caller.id };
    const read = (filter: Filter<AppointmentRecord>) =>
      collections.appointments
        .find(filter)
        .sort({ date: 1, time: 1, _id: 1 })
        .limit(calendarLimits.appointments + 1)
        .project<AppointmentRecord>(unread)
        .toArray();
    const [before, ofDay] = await Promise.all([
      date === clock.today ? read({ ...visitsOf(addDays(date, -1), whose), ...reachingMidnight }) : [],
      read(visitsOf(date, whose)),
    ]);
    const found = [...before.filter((record) => isVisitOfToday(record, clock)), ...ofDay];
    const shown = found.slice(0, calendarLimits.appointments);
    const missed = await missedBy(collections, shown);
    const willCome = await askedToConfirm(collections, shown, rules, clock);
    return {
      visits: shown.map((record) => {
        const answer = willCome(record);
        return {
          ...toAppointment(record, rules, caller),
          missedBefore: missed(record),
          ...(answer !== undefined && { willCome: answer }),
        };
      }),
      complete: found.length <= calendarLimits.appointments,
    };
  };

  const getPlaceInQueue: Handler<'getPlaceInQueue'> = async ({ params, call, caller }) => {
    const record = await appointmentById(collections, params.id);
    assertOwner(call.access, caller, ownershipOf(record));
    const number = attendanceOf(record)?.number;
    return {
      state: stateOf(record),
      ...(number !== undefined && { number }),
      ahead: await aheadOf(collections, record, clinicClock(rules)),
      ...(saysCode(record) && { code: await arrivalCodeOf(collections, record) }),
    };
  };

  const change: Handler<'changeAttendance'> = async (request) =>
    context.inTransaction((session) => changeAttendance(appointmentChangeOf(context, request), request.body, session));

  const arrive: Handler<'arriveByCode'> = (request) =>
    arriveByCode(changeOfSeveral(context, request), request.body.code, tries, (run) => context.inTransaction(run));

  return { getDay, getPlaceInQueue, changeAttendance: change, arriveByCode: arrive };
}

/** Narrows a day's visits to those that can go on after midnight, or whose patient may still be here. */
const reachingMidnight: Filter<AppointmentRecord> = {
  $or: [
    { time: { $gte: timeOf(minutesOfDay - scheduleLimits.mostSlotMinutes) } },
    { 'attendance.state': { $in: attendanceStates.filter(isHere) } },
  ],
};

/** The day's visits that take place: of a doctor by address or account, or of everybody. */
function visitsOf(
  date: string,
  { doctorEmail, account }: { readonly doctorEmail?: string | undefined; readonly account?: string },
): Filter<AppointmentRecord> {
  return {
    date,
    status: { $in: [...slotHoldingStatuses] },
    ...(doctorEmail !== undefined && { doctorEmail }),
    ...(account !== undefined && { accounts: account, doctorAccountId: account }),
  };
}

type Patient = Pick<AppointmentRecord, 'patientEmail' | 'patientId'>;

const keyOf = ({ patientEmail, patientId = '' }: Patient): string => `${patientId} ${patientEmail}`;

/** How many visits each of these patients has missed; what a former owner of their address missed isn't theirs. */
async function missedBy(
  { appointments }: Pick<ClinicCollections, 'appointments'>,
  patients: readonly Patient[],
): Promise<(patient: Patient) => number> {
  const patientEmails = [...new Set(patients.map(({ patientEmail }) => patientEmail))];
  const counts = await appointments
    .aggregate<{ readonly _id: Patient; readonly count: number }>([
      { $match: { patientEmail: { $in: patientEmails }, ...missedVisits } },
      { $group: { _id: { patientEmail: '$patientEmail', patientId: '$patientId' }, count: { $sum: 1 } } },
    ])
    .toArray();
  const byPatient = new Map(counts.map(({ _id, count }) => [keyOf(_id), count]));
  return (patient) => byPatient.get(keyOf(patient)) ?? 0;
}
