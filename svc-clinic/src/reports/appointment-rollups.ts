import {
  addToRollups,
  daysOfMonth,
  keepRollups,
  replaceRollups,
  rollupShard,
  type RollupPlan,
} from '@clinic/service-kit';
import type { ClientSession } from 'mongodb';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import { collectionsOf, type ClinicCollections } from '../collections.ts';
import { appointmentStatuses, type AppointmentStatus } from '../contract/transitions.ts';
import type { ClinicContext } from '../settings.ts';
import type { AppointmentRollup } from './rollup-record.ts';

/** The fields that decide where an appointment is counted. */
export type CountedAppointment = Pick<AppointmentRecord, 'date' | 'doctorEmail' | 'status'>;

/**
 * Counts a change of an appointment, in its transaction. Call it for every write of an appointment's date, status or doctor.
 *
 * @param before - `undefined` if it is new
 * @param after - `undefined` if it is deleted
 */
export async function countAppointment(
  { appointmentTallies }: Pick<ClinicCollections, 'appointmentTallies'>,
  before: CountedAppointment | undefined,
  after: CountedAppointment | undefined,
  session: ClientSession,
): Promise<void> {
  const change = ({ date, doctorEmail, status }: CountedAppointment, by: 1 | -1) => ({
    key: keyOf(date, doctorEmail, rollupShard(session)),
    about: { date, doctorEmail },
    add: { [status]: by },
  });
  await addToRollups(appointmentTallies, session, [
    ...(before ? [change(before, -1)] : []),
    ...(after ? [change(after, 1)] : []),
  ]);
}

function keyOf(date: string, doctorEmail: string, slot: string): string {
  return `${date} ${doctorEmail} ${slot}`;
}

/** The shard for rebuilt rollups. */
const rebuiltShard = 'counted';

/** Aggregation sums by status, over appointments or their rollups. */
const statusSums = (valueOf: (status: AppointmentStatus) => unknown) =>
  Object.fromEntries(appointmentStatuses.map((status) => [status, { $sum: valueOf(status) }]));

/** Sums the rollups of some days, by day or by doctor. */
export function sumRollups(field: 'date' | 'doctorEmail', from: string, to: string) {
  return [
    { $match: { date: { $gte: from, $lte: to } } },
    { $group: { _id: `$${field}`, ...statusSums((status) => `$${status}`) } },
  ];
}

/** Keeps the rollups right if they are missing or don't match the appointments. */
export function appointmentRollupPlan(context: ClinicContext): RollupPlan {
  const collections = collectionsOf(context.db);
  return {
    what: 'appointments',
    version: '1',
    inStep: (month, session) => inStep(collections, month, session),
    nextMonth: (month) => nextMonth(collections, month),
    countMonth: (month, session) => countMonth(collections, month, session),
  };
}

/** @returns number of months rebuilt */
export const keepAppointmentRollups = (context: ClinicContext): Promise<number> =>
  keepRollups(context, appointmentRollupPlan(context));

async function inStep(
  { appointments, appointmentTallies }: ClinicCollections,
  month: string,
  session: ClientSession,
): Promise<boolean> {
  const { from, to } = daysOfMonth(month);
  const date = { $gte: from, $lte: to };
  const sums = [{ $match: { date } }, { $group: { _id: null, ...statusSums((status) => `$${status}`) } }];
  const [counted] = await appointmentTallies
    .aggregate<Partial<Record<AppointmentStatus, number>>>(sums, { session })
    .toArray();
  for (const status of appointmentStatuses) {
    if ((counted?.[status] ?? 0) !== (await appointments.countDocuments({ status, date }, { session }))) return false;
  }
  return true;
}

async function nextMonth(
  { appointments, appointmentTallies }: ClinicCollections,
  month: string,
): Promise<string | undefined> {
  const first = { filter: { date: { $gte: month } }, options: { sort: { date: 1 }, projection: { date: 1 } } } as const;
  const found = [
    await appointments.findOne(first.filter, first.options),
    await appointmentTallies.findOne(first.filter, first.options),
  ];
  return found.flatMap((each) => (each ? [each.date.slice(0, 7)] : [])).toSorted()[0];
}

async function countMonth(
  { appointments, appointmentTallies }: ClinicCollections,
  month: string,
  session: ClientSession,
): Promise<void> {
  const { from, to } = daysOfMonth(month);
  const within = { date: { $gte: from, $lte: to } };
  const isStatus = (status: AppointmentStatus) => ({ $cond: [{ $eq: ['$status', status] }, 1, 0] });
  const groups = await appointments
    .aggregate<Record<AppointmentStatus, number> & { readonly _id: Pick<AppointmentRollup, 'date' | 'doctorEmail'> }>(
      [
        { $match: within },
        { $group: { _id: { date: '$date', doctorEmail: '$doctorEmail' }, ...statusSums(isStatus) } },
      ],
      { session },
    )
    .toArray();
  const rollups = groups.map(({ _id: { date, doctorEmail }, ...counts }): AppointmentRollup => ({
    _id: keyOf(date, doctorEmail, rebuiltShard),
    date,
    doctorEmail,
    ...counts,
  }));
  await replaceRollups(appointmentTallies, within, rollups, session);
}
