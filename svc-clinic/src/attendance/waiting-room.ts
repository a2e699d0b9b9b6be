import { slotHoldingStatuses } from '@clinic/contracts';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import { visitOf } from '../appointments/promise.ts';
import type { ClinicCollections } from '../collections.ts';
import type { AttendanceState } from '../contract/attendance.ts';
import type { WaitingRoom } from '../contract/waiting-room-calls.ts';
import { attendanceOf } from './attendance-record.ts';

/** What a screen can show at most. */
const mostShown = 60;

const projection = { date: 1, time: 1, doctorName: 1, doctorEmail: 1, duration: 1, place: 1, attendance: 1 } as const;
type Here = Pick<AppointmentRecord, keyof typeof projection | '_id'>;

/** Who is called or waits on a day, by arrival; names and the rest of the record aren't read. */
async function whoIsHere(
  { appointments }: Pick<ClinicCollections, 'appointments'>,
  date: string,
  of: { readonly doctorEmail?: string } = {},
): Promise<(Here & { readonly state: AttendanceState; readonly since: Date; readonly arrivedAt: Date })[]> {
  const found = await appointments
    .find({
      ...of,
      date,
      status: { $in: [...slotHoldingStatuses] },
      'attendance.state': { $in: ['arrived', 'called'] },
    })
    .sort({ date: 1, time: 1, _id: 1 })
    .project<Here>(projection)
    .toArray();
  return found
    .flatMap((record) => {
      const noted = attendanceOf(record);
      return noted
        ? [{ ...record, state: noted.state, since: noted.since, arrivedAt: noted.arrivedAt ?? noted.since }]
        : [];
    })
    .toSorted((one, other) => one.arrivedAt.getTime() - other.arrivedAt.getTime());
}

/** The screen's content on a day. */
export async function waitingRoomOn(
  collections: Pick<ClinicCollections, 'appointments'>,
  date: string,
  now: Date,
): Promise<WaitingRoom> {
  const here = await whoIsHere(collections, date);
  const called = here.filter(({ state }) => state === 'called');
  return {
    at: now.toISOString(),
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
  { _id, date, doctorEmail }: Pick<AppointmentRecord, '_id' | 'date' | 'doctorEmail'>,
): Promise<number> {
  const here = await whoIsHere(collections, date, { doctorEmail });
  return Math.max(
    0,
    here.findIndex((one) => one._id.equals(_id)),
  );
}
