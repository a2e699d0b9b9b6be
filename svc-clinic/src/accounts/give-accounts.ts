import { isErasedEmail } from '@clinic/contracts/erased-person';
import { accountOfEmail, type HistoryEvent, type ServiceContext } from '@clinic/service-kit';
import { ObjectId, type AnyBulkWriteOperation, type ClientSession, type Db } from 'mongodb';
import { findingFields, type AppointmentRecord } from '../appointments/appointment-record.ts';
import { collectionsOf } from '../collections.ts';

/** Appointments of one transaction. */
const batchSize = 100;

/**
 * Gives appointments that a release without accounts has written the accounts they belong to: the patient's is the one that
 * made the booking, as the history tells, or has confirmed the address by now; the doctor's is that of the profile. What
 * belongs to nobody yet waits until an account confirms the address.
 *
 * @param since - only what was booked from then on: ids begin with their time; left out: all
 * @returns how many appointments it was
 */
export async function giveAccounts(context: ServiceContext, since?: Date): Promise<number> {
  const { appointments } = collectionsOf(context.db);
  let given = 0;
  let last = since && ObjectId.createFromTime(Math.floor(since.getTime() / 1_000));
  for (;;) {
    context.stopping.throwIfAborted();
    // In the order of the ids no appointment is read twice, also where there is no index of accounts yet.
    const waiting = appointments.find({ ...(last && { _id: { $gt: last } }), accounts: { $exists: false } }, { projection: { _id: 1 }, sort: { _id: 1 }, limit: batchSize });
    const ids = (await waiting.toArray()).map(({ _id }) => _id);
    if (ids.length === 0) return given;
    given += await context.inTransaction((session) => giveTo(context, ids, session));
    last = ids.at(-1);
  }
}

async function giveTo({ db }: Pick<ServiceContext, 'db'>, ids: readonly ObjectId[], session: ClientSession): Promise<number> {
  const { appointments, doctors } = collectionsOf(db);
  // Another replica may have been faster.
  const records = await appointments.find({ _id: { $in: [...ids] }, accounts: { $exists: false } }, { session }).toArray();
  if (records.length === 0) return 0;
  const booked = await db.collection<HistoryEvent>('events')
    .find({ 'record.type': 'appointment', 'record.id': { $in: records.map(({ _id }) => _id.toHexString()) }, action: 'booked' }, { session })
    .toArray();
  const actors = new Map(booked.map(({ record, actor }) => [record.id, actor]));
  const profiles = await doctors.find({ email: { $in: [...new Set(records.map(({ doctorEmail }) => doctorEmail))] }, accountId: { $exists: true } }, { session }).toArray();
  const doctorAccounts = new Map(profiles.map(({ email, accountId }) => [email, accountId]));
  const writes: AnyBulkWriteOperation<AppointmentRecord>[] = [];
  for (const record of records) {
    const patientId = await patientOf(record, actors.get(record._id.toHexString()), db, session);
    const doctorAccountId = doctorAccounts.get(record.doctorEmail);
    const owners = { ...(patientId !== undefined && { patientId }), ...(doctorAccountId !== undefined && { doctorAccountId }) };
    writes.push({ updateOne: { filter: { _id: record._id }, update: { $set: { ...owners, accounts: findingFields({ ...record, ...owners }).accounts } } } });
  }
  await appointments.bulkWrite(writes, { session });
  return records.length;
}

async function patientOf({ patientEmail }: AppointmentRecord, bookedBy: HistoryEvent['actor'], db: Db, session: ClientSession): Promise<string | undefined> {
  if (isErasedEmail(patientEmail)) return undefined;
  if (bookedBy?.role === 'patient' && bookedBy.email === patientEmail) return bookedBy.id;
  return accountOfEmail({ db }, session, patientEmail);
}
