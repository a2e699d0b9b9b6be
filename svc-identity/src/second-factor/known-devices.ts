import { createHash, randomBytes } from 'node:crypto';
import { ObjectId } from 'mongodb';
import type { CallingBrowser } from '../sessions/calling-browser.ts';
import type { IdentityContext } from '../settings.ts';
import { usersOf, type UserRecord } from '../users/user-record.ts';

/** Devices remembered for a second factor; beyond that the oldest is forgotten. */
const mostDevices = 20;

/** Whether the second factor that the user has now was set up or passed on this device. */
export function isKnownDevice({ _id, secondFactor }: UserRecord, deviceId: string): boolean {
  return secondFactor?.devices?.includes(hashOf(_id.toHexString(), deviceId)) === true;
}

/** Remembers that a browser has passed a user's second factor, with a cookie that is sent to the sign-in only. */
export async function rememberDevice(
  context: IdentityContext,
  userId: string,
  browser: Pick<CallingBrowser, 'deviceId' | 'keepDevice'>,
): Promise<void> {
  const id = browser.deviceId ?? randomBytes(32).toString('base64url');
  const device = hashOf(userId, id);
  await usersOf(context).updateOne(
    { _id: new ObjectId(userId), secondFactor: { $exists: true }, 'secondFactor.devices': { $ne: device } },
    { $push: { 'secondFactor.devices': { $each: [device], $slice: -mostDevices } } },
  );
  browser.keepDevice(id);
}

/** Different for each account, so that the database doesn't tell who shares a browser. */
const hashOf = (userId: string, id: string): string =>
  createHash('sha256').update(`${userId} ${id}`).digest('base64url');
