import { addDays, clinicMinute, clinicMoment } from '@clinic/contracts';
import {
  batchesById,
  isDuplicateKey,
  type DerivedFields,
  type SchemaChange,
  type ServiceContext,
} from '@clinic/service-kit';
import type { ObjectId } from 'mongodb';
import { collectionsOf } from '../collections.ts';
import type { DoctorRecord } from '../doctors/doctor-record.ts';
import { minutesOnce } from '../indexes.ts';
import { assumedVisit } from '../schedule/visit.ts';
import type { ClinicContext } from '../settings.ts';
import { occupyingStatuses } from '../waitlist/slot-hold.ts';
import type { AppointmentRecord } from './appointment-record.ts';
import { promiseOf, visitOf } from './promise.ts';

type Context = Pick<ServiceContext, 'db' | 'stopping'>;
type Zone = Pick<ClinicContext['settings'], 'CLINIC_TZ'>;

/**
 * Gives appointments that an earlier release has booked or moved the length and place that the doctor's hours have there now,
 * the best that is known of what their patients were told. Those to come also get their minutes in the unique index; of two
 * that overlap, as earlier releases allowed, one is marked, so that staff find it among those that no longer fit.
 *
 * @param ids - only these; default: all
 * @returns number of appointments changed
 */
async function rewritePromises(context: Context, { CLINIC_TZ }: Zone, ids?: readonly ObjectId[]): Promise<number> {
  const { appointments, doctors } = collectionsOf(context.db);
  const yesterday = addDays(clinicMoment(new Date(), CLINIC_TZ).date, -1);
  const profiles = new Map<string, DoctorRecord | null>();
  let changed = 0;
  for await (const rows of batchesById(context, appointments, { ids }))
    for (const row of rows) {
      if (isKept(row, yesterday, CLINIC_TZ)) continue;
      if (!profiles.has(row.doctorEmail))
        profiles.set(row.doctorEmail, await doctors.findOne({ email: row.doctorEmail }));
      const isNew = row.duration === undefined || hasMoved(row, CLINIC_TZ);
      const visit = isNew ? assumedVisit(profiles.get(row.doctorEmail) ?? undefined, row) : visitOf(row);
      if (await write(context, row, promiseOf(row, visit, CLINIC_TZ), yesterday)) changed += 1;
    }
  return changed;
}

/** Whether the cells belong to another time: a replica of the previous release has moved it. */
function hasMoved(row: AppointmentRecord, timeZone: string): boolean {
  return row.cells !== undefined && row.cells[0] !== clinicMinute(row, timeZone);
}

function isKept(row: AppointmentRecord, yesterday: string, timeZone: string): boolean {
  if (row.duration === undefined || hasMoved(row, timeZone)) return false;
  return row.cells !== undefined || row.overlaps === true || row.date < yesterday || !holds(row);
}

const holds = ({ status }: AppointmentRecord): boolean => occupyingStatuses.some((one) => one === status);

async function write(
  { db }: Pick<ServiceContext, 'db'>,
  { _id, date, time, doctorEmail, ...row }: AppointmentRecord,
  { cells, ...promised }: ReturnType<typeof promiseOf>,
  yesterday: string,
): Promise<boolean> {
  const { appointments } = collectionsOf(db);
  // As read: whoever has changed it meanwhile has set them.
  const asRead = { _id, date, time, doctorEmail, status: row.status };
  const counts = date >= yesterday && holds({ _id, date, time, doctorEmail, ...row });
  try {
    const { matchedCount } = await appointments.updateOne(
      asRead,
      counts ? { $set: { ...promised, cells } } : { $set: promised, $unset: { cells: '' } },
    );
    return matchedCount > 0;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    const { matchedCount } = await appointments.updateOne(asRead, {
      $set: { ...promised, overlaps: true },
      $unset: { cells: '' },
    });
    return matchedCount > 0;
  }
}

/** The schema change that gives every appointment its promise. @param number - of the schema change */
export const promiseVisits = (number: number): SchemaChange => ({
  number,
  name: 'appointments keep the length and place they were promised',
  up: async (context) => {
    const { appointments } = collectionsOf(context.db);
    // First, so that it decides which of two has the time.
    const { name, key, unique, partialFilterExpression } = minutesOnce;
    await appointments.createIndex(key, { name, unique, partialFilterExpression });
    await rewritePromises(context, (context as ClinicContext).settings);
  },
});

/** What replicas of the previous release book and move gets its promise a moment later. */
export const keptPromises = (zone: Zone): DerivedFields => ({
  recordType: 'appointment',
  actions: ['booked', 'rescheduled', 'moved to a colleague'],
  rewrite: (context, ids) => rewritePromises(context, zone, ids),
});
