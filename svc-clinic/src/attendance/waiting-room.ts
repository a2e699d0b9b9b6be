import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import { visitOf } from '../appointments/promise.ts';
import type { ClinicCollections } from '../collections.ts';
import type { AttendanceState } from '../contract/attendance.ts';
import { slotHoldingStatuses } from '../contract/transitions.ts';
import type { WaitingRoom } from '../contract/waiting-room-calls.ts';
import type { ClinicClock } from '../clinic-clock.ts';
import { attendanceOf, daysOfToday, isVisitOfToday } from './attendance-record.ts';

/** What a screen can show at most. */
const mostShown = 60;

const projection = { date: 1, time: 1, doctorName: 1, doctorEmail: 1, duration: 1, place: 1, attendance: 1 } as const;
type Here = Pick<AppointmentRecord, keyof typeof projection | '_id'>;

type TodayClock = Pick<ClinicClock, 'now' | 'today' | 'timeZone'>;

/** Who is called or waits today, also since before midnight, by arrival; names and the rest of the record aren't read. */
async function whoIsHere(
  { appointments }: Pick<ClinicCollections, 'appointments'>,
  clock: TodayClock,
  of: { readonly doctorEmail?: string } = {},
): Promise<(Here & { readonly state: AttendanceState; readonly since: Date; readonly arrivedAt: Date })[]> {
  const found = await appointments
    .find({
      ...of,
      date: { $in: [...daysOfToday(clock)] },
      status: { $in: [...slotHoldingStatuses] },
      'attendance.state': { $in: ['arrived', 'called'] },
    })
    .sort({ date: 1, time: 1, _id: 1 })
    .project<Here>(projection)
    .toArray();
  return found
    .flatMap((record) => {
      const noted = attendanceOf(record);
      return noted && isVisitOfToday(record, clock)
        ? [{ ...record, state: noted.state, since: noted.since, arrivedAt: noted.arrivedAt ?? noted.since }]
        : [];
    })
    .toSorted((one, other) => one.arrivedAt.getTime() - other.arrivedAt.getTime());
}

/** The screen's content. */
export async function waitingRoomNow(
  collections: Pick<ClinicCollections, 'appointments'>,
  clock: TodayClock,
): Promise<WaitingRoom> {
  const here = await whoIsHere(collections, clock);
  const called = here.filter(({ state }) => state === 'called');
  return {
    at: clock.now.toISOString(),
    called: called
      .toSorted((one, other) => other.since.getTime() - one.since.getTime())
      .slice(0, mostShown)
      .map((record) => ({
        number: record.attendance?.number ?? 0,
        room: visitOf(record).place || record.doctorName,
      })),
    waiting: here
      .filter(({ state }) => state === 'arrived')
      .slice(0, mostShown)
      .map(({ attendance }) => attendance?.number ?? 0),
  };
}

/** How many wait or are called before a visit of the same doctor, in the order in which they came. */
export async function aheadOf(
  collections: Pick<ClinicCollections, 'appointments'>,
  { _id, doctorEmail }: Pick<AppointmentRecord, '_id' | 'doctorEmail'>,
  clock: TodayClock,
): Promise<number> {
  const here = await whoIsHere(collections, clock, { doctorEmail });
  return Math.max(
    0,
    here.findIndex((one) => one._id.equals(_id)),
  );
}
