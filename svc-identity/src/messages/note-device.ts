import { appendOutbox } from '@clinic/service-kit';
import type { ClientSession } from 'mongodb';
import { deviceName } from '../sessions/device-name.ts';
import type { IdentityContext } from '../settings.ts';
import { usersOf, type UserRecord } from '../users/user-record.ts';

/** Devices remembered per account; beyond that the oldest is forgotten. */
const mostDevices = 20;

/**
 * Remembers the devices somebody signs in on, e.g. `Chrome on Android`, and sends them a message about a new one. The
 * first device sends no message: it is the one on which they registered, or was in use before devices were remembered.
 *
 * Part of the sign-in's transaction, which has already written the user: of two sign-ins at once, one finds the device
 * known.
 */
export async function noteDevice(
  context: IdentityContext,
  transaction: ClientSession,
  { _id, email, knownDevices: known }: UserRecord,
  userAgent: string | undefined,
): Promise<void> {
  const device = deviceName(userAgent);
  if (known?.includes(device)) return;
  await usersOf(context).updateOne(
    { _id },
    { $set: { knownDevices: [...(known ?? []), device].slice(-mostDevices) } },
    { session: transaction },
  );
  if (known === undefined) return;
  await appendOutbox(context, transaction, {
    kind: 'new-device',
    to: { account: _id.toHexString(), email },
    data: { device, at: new Date().toISOString() },
  });
}
