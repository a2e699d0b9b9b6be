import { createHash, randomBytes } from 'node:crypto';
import { cookieOf, cookiesAreSecure } from '@clinic/service-kit';
import type { Request, Response } from 'express';
import { ObjectId } from 'mongodb';
import type { IdentityContext } from '../settings.ts';
import { usersOf, type UserRecord } from '../users/user-record.ts';

/** A device is forgotten after half a year without a sign-in; milliseconds. */
const lifetime = 180 * 86_400_000;

/** Devices remembered for a second factor; beyond that the oldest is forgotten. */
const mostDevices = 20;

const nameOf = (context: Pick<IdentityContext, 'settings'>): string =>
  cookiesAreSecure(context.settings) ? '__Secure-clinic_known_device' : 'clinic_known_device';

/** The browser's device id. It gives no access: wrong codes of a device that has passed a second factor count apart. */
export function deviceIdOf(context: Pick<IdentityContext, 'settings'>, request: Request): string | undefined {
  const id = cookieOf(request, nameOf(context));
  return id !== undefined && /^[\w-]{43}$/.test(id) ? id : undefined;
}

/** Whether the second factor that the user has now was set up or passed on this device. */
export function isKnownDevice({ _id, secondFactor }: UserRecord, deviceId: string): boolean {
  return secondFactor?.devices?.includes(hashOf(_id.toHexString(), deviceId)) === true;
}

/** Remembers that a browser has passed a user's second factor, with a cookie that is sent to the sign-in only. */
export async function rememberDevice(
  context: IdentityContext,
  userId: string,
  request: Request,
  response: Response,
): Promise<void> {
  const id = deviceIdOf(context, request) ?? randomBytes(32).toString('base64url');
  const device = hashOf(userId, id);
  await usersOf(context).updateOne(
    { _id: new ObjectId(userId), secondFactor: { $exists: true }, 'secondFactor.devices': { $ne: device } },
    { $push: { 'secondFactor.devices': { $each: [device], $slice: -mostDevices } } },
  );
  response.cookie(nameOf(context), id, {
    maxAge: lifetime,
    path: '/jwt',
    httpOnly: true,
    sameSite: 'strict',
    secure: cookiesAreSecure(context.settings),
  });
}

/** Different for each account, so that the database doesn't tell who shares a browser. */
const hashOf = (userId: string, id: string): string =>
  createHash('sha256').update(`${userId} ${id}`).digest('base64url');
