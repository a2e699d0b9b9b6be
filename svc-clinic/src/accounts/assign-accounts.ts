import { isNobodysEmail } from '@clinic/contracts/erased-person';
import { accountOfOldRecord, batchesById, type HistoryEvent, type ServiceContext } from '@clinic/service-kit';
import { ObjectId, type AnyBulkWriteOperation, type ClientSession, type Db } from 'mongodb';
import { findingFields, type AppointmentRecord } from '../appointments/appointment-record.ts';
import { collectionsOf } from '../collections.ts';

/** Appointments per transaction. */
const batchSize = 100;

/**
 * Sets the accounts of appointments written by a release without accounts: the patient's is the one that made the booking,
 * according to the history, or that has confirmed the address since; the doctor's is that of the profile. Others wait until
 * an account confirms the address.
 *
 * @param since - only bookings from then on, by the timestamp in their ids; default: all
 * @returns number of appointments changed
 */
export async function giveAccounts(context: ServiceContext, since?: Date): Promise<number> {
  const { appointments } = collectionsOf(context.db);
  let given = 0;
  const waiting = batchesById(context, appointments, {
    where: { accounts: { $exists: false } },
    after: since && ObjectId.createFromTime(Math.floor(since.getTime() / 1_000)),
    size: batchSize,
    projection: { _id: 1 },
  });
  for await (const batch of waiting) {
    const ids = batch.map(({ _id }) => _id);
    given += await context.inTransaction((session) => giveTo(context, ids, session));
  }
  return given;
}

async function giveTo(
  { db }: Pick<ServiceContext, 'db'>,
  ids: readonly ObjectId[],
  session: ClientSession,
): Promise<number> {
  const { appointments, doctors } = collectionsOf(db);
  // The account is checked again, as another replica may have been faster.
  const records = await appointments
    .find({ _id: { $in: [...ids] }, accounts: { $exists: false } }, { session })
    .toArray();
  if (records.length === 0) return 0;
  const booked = await db
    .collection<HistoryEvent>('events')
    .find(
      {
        'record.type': 'appointment',
        'record.id': { $in: records.map(({ _id }) => _id.toHexString()) },
        action: 'booked',
      },
      { session },
    )
    .toArray();
  const actors = new Map(booked.map(({ record, actor }) => [record.id, actor]));
  const profiles = await doctors
    .find(
      { email: { $in: [...new Set(records.map(({ doctorEmail }) => doctorEmail))] }, accountId: { $exists: true } },
      { session },
    )
    .toArray();
  const doctorAccounts = new Map(profiles.map(({ email, accountId }) => [email, accountId]));
  const writes: AnyBulkWriteOperation<AppointmentRecord>[] = [];
  for (const record of records) {
    const patientId = await patientOf(record, actors.get(record._id.toHexString()), db, session);
    const doctorAccountId = doctorAccounts.get(record.doctorEmail);
    const owners = {
      ...(patientId !== undefined && { patientId }),
      ...(doctorAccountId !== undefined && { doctorAccountId }),
    };
    writes.push({
      updateOne: {
        filter: { _id: record._id },
        update: { $set: { ...owners, accounts: findingFields({ ...record, ...owners }).accounts } },
      },
    });
  }
  await appointments.bulkWrite(writes, { session });
  return records.length;
}

async function patientOf(
  { patientEmail }: AppointmentRecord,
  bookedBy: HistoryEvent['actor'],
  db: Db,
  session: ClientSession,
): Promise<string | undefined> {
  if (isNobodysEmail(patientEmail)) return undefined;
  if (bookedBy?.role === 'patient' && bookedBy.email === patientEmail) return bookedBy.id;
  return accountOfOldRecord({ db }, session, patientEmail);
}
