import type { ServiceContext, StaffAccount } from '@clinic/service-kit';
import type { ClientSession, ObjectId } from 'mongodb';
import { collectionsOf, type ClinicCollections } from '../collections.ts';
import type { DoctorRecord } from '../doctors/doctor-record.ts';

/** Appointments of one write. */
const batchSize = 500;

/**
 * Lets appointments know the accounts of their doctors, where those came after the booking. What another account's doctor has
 * stays theirs.
 *
 * @returns how many appointments it was
 */
export async function joinAppointmentsOfDoctors({ db, stopping }: Pick<ServiceContext, 'db' | 'stopping'>): Promise<number> {
  const { appointments, doctors } = collectionsOf(db);
  // Any account: a range, so that the index answers it.
  const profiles = await doctors.find({ accountId: { $gt: '' } }, { projection: { email: 1, accountId: 1 } }).toArray();
  const accounts = new Map(profiles.flatMap(({ email, accountId }) => (accountId === undefined ? [] : [[email, accountId] as const])));
  // What a replica of the release before booked has no accounts at all: it waits for giveAccounts, which would take it for done if it had the doctor's.
  const waiting = { doctorEmail: { $in: [...accounts.keys()] }, doctorAccountId: { $exists: false }, accounts: { $exists: true } };
  let joined = 0;
  for (;;) {
    stopping.throwIfAborted();
    const found = await appointments.find(waiting, { projection: { doctorEmail: 1 }, limit: batchSize }).toArray();
    if (found.length === 0) return joined;
    await appointments.bulkWrite(found.map(({ _id, doctorEmail }) => {
      const doctorAccountId = accounts.get(doctorEmail) ?? '';
      return { updateOne: { filter: { _id, doctorAccountId: { $exists: false }, accounts: { $exists: true } }, update: { $set: { doctorAccountId }, $addToSet: { accounts: doctorAccountId } } } };
    }));
    joined += found.length;
  }
}

/**
 * Gives a profile that nobody has yet to the account of its e-mail address; what is booked without an account meanwhile
 * collides with it.
 *
 * @returns the profile's id; `undefined`: there is no such profile
 */
export async function takeProfile(
  { db }: Pick<ServiceContext, 'db'>, kind: 'doctors' | 'pharmacists', account: Pick<StaffAccount, 'id' | 'email'>, session: ClientSession,
): Promise<ObjectId | undefined> {
  const profile = await db.collection<Pick<DoctorRecord, 'email' | 'accountId' | 'bookedWithoutAccount'>>(kind).findOneAndUpdate(
    { email: account.email, accountId: { $exists: false } },
    { $set: { accountId: account.id }, $unset: { bookedWithoutAccount: '' } },
    { session, projection: { _id: 1 } },
  );
  return profile?._id;
}

/** A booking with a doctor whose profile has no account yet must not be missed while it gets one: both write the profile, and one is repeated. */
export async function collideWithJoining({ doctors }: Pick<ClinicCollections, 'doctors'>, { _id, accountId }: DoctorRecord, session: ClientSession): Promise<void> {
  if (accountId === undefined) await doctors.updateOne({ _id }, { $inc: { bookedWithoutAccount: 1 } }, { session });
}
