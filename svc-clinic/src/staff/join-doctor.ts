import { addressesOfAccount, dateWithin, type ServiceContext, type StaffAccount } from '@clinic/service-kit';
import type { ClientSession, ObjectId } from 'mongodb';
import { collectionsOf, type ClinicCollections } from '../collections.ts';
import type { DoctorRecord } from '../doctors/doctor-record.ts';

/** Appointments per write. */
const batchSize = 500;

/**
 * Sets the doctor's account on appointments booked before the doctor had one. Never takes an appointment from another
 * doctor's account.
 *
 * @returns number of appointments changed
 */
export async function joinAppointmentsOfDoctors({
  db,
  stopping,
}: Pick<ServiceContext, 'db' | 'stopping'>): Promise<number> {
  const { appointments, doctors } = collectionsOf(db);
  // Any account: written as a range, so that the index is used.
  const profiles = await doctors.find({ accountId: { $gt: '' } }, { projection: { email: 1, accountId: 1 } }).toArray();
  const accounts = new Map(
    profiles.flatMap(({ email, accountId }) => (accountId === undefined ? [] : [[email, accountId] as const])),
  );
  // Bookings by replicas of the previous release have no `accounts` field: they are left to giveAccounts, which would consider
  // them done if they had the doctor's.
  const waiting = {
    doctorEmail: { $in: [...accounts.keys()] },
    doctorAccountId: { $exists: false },
    accounts: { $exists: true },
  };
  let joined = 0;
  for (;;) {
    stopping.throwIfAborted();
    const found = await appointments.find(waiting, { projection: { doctorEmail: 1 }, limit: batchSize }).toArray();
    if (found.length === 0) return joined;
    await appointments.bulkWrite(
      found.map(({ _id, doctorEmail }) => {
        const doctorAccountId = accounts.get(doctorEmail) ?? '';
        return {
          updateOne: {
            filter: { _id, doctorAccountId: { $exists: false }, accounts: { $exists: true } },
            update: { $set: { doctorAccountId }, $addToSet: { accounts: doctorAccountId } },
          },
        };
      }),
    );
    joined += found.length;
  }
}

/**
 * Links an unclaimed profile to the account that had its email address when it was created, or took it next; concurrent bookings without an account conflict with
 * it and are retried.
 *
 * @returns the profile's id; `undefined` if there is no such profile
 */
export async function takeProfile(
  { db }: Pick<ServiceContext, 'db'>,
  kind: 'doctors' | 'pharmacists',
  account: Pick<StaffAccount, 'id' | 'email'>,
  session: ClientSession,
): Promise<ObjectId | undefined> {
  const addresses = await addressesOfAccount({ db }, account, session);
  const profile = await db
    .collection<Pick<DoctorRecord, 'createdAt' | 'email' | 'accountId' | 'bookedWithoutAccount'>>(kind)
    .findOneAndUpdate(
      {
        $or: addresses.map((one) => ({ email: one.email, ...dateWithin('createdAt', one) })),
        accountId: { $exists: false },
      },
      { $set: { accountId: account.id }, $unset: { bookedWithoutAccount: '' } },
      { session, projection: { _id: 1 } },
    );
  return profile?._id;
}

/**
 * Makes a booking with a doctor without an account conflict with the account being linked: both write the profile, and one is
 * retried.
 */
export async function collideWithJoining(
  { doctors }: Pick<ClinicCollections, 'doctors'>,
  { _id, accountId }: DoctorRecord,
  session: ClientSession,
): Promise<void> {
  if (accountId === undefined) await doctors.updateOne({ _id }, { $inc: { bookedWithoutAccount: 1 } }, { session });
}
