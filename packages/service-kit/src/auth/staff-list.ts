import type { ClientSession } from 'mongodb';
import { z } from 'zod';
import { BackgroundLoop } from '../background-loop.ts';
import type { ServiceContext } from '../context.ts';
import { askIdentity, type IdentityAccess } from './ask-identity.ts';

/** Where svc-identity serves the staff list to other services; the gateway never routes it. */
export const staffPath = '/internal/staff';

/** An account that has, or once had, a staff role. */
export const staffAccount = z.object({
  /** The account. */
  id: z.string(),
  /** Lower case. */
  email: z.string(),
  role: z.enum(['admin', 'doctor', 'patient', 'pharmacist']),
  /** Has the role now: confirmed, not switched off, not being deleted. */
  active: z.boolean(),
  /** The person's details in the invitation; a service creates their profile from it if there is none yet. */
  profile: z.record(z.string(), z.unknown()).optional(),
});
export type StaffAccount = z.output<typeof staffAccount>;

const staffList = z.array(staffAccount);

/** Milliseconds between two polls if no change is reported. */
const pollEvery = 60_000;

/** Milliseconds within which a replica must respond. */
const answerWithin = 5_000;

/**
 * Whether no replica has applied a list that was asked for later; checked in the transaction of what the list changes. A list
 * can be applied late, and would take back what a later one says.
 */
export type IsLatestList = (session: ClientSession) => Promise<boolean>;

/** Syncs a service's own records with the current staff. Must be safe to repeat and to run in several replicas. */
export type OnStaff = (staff: readonly StaffAccount[], isLatest: IsLatestList) => Promise<void>;

/** How often replicas have asked for the list, and whose was applied last. */
interface Turns {
  readonly _id: 'staff list';
  readonly asked?: number;
  readonly applied?: number;
}

/**
 * Keeps a service in sync with the staff list.
 *
 * @returns the loop, to be run, and to be woken when someone's rights have changed
 */
export function staffFollower(
  context: IdentityAccess & Pick<ServiceContext, 'db' | 'log'>,
  onStaff: OnStaff,
): BackgroundLoop {
  const turns = context.db.collection<Turns>('markers');
  const _id = 'staff list';
  const work = async (): Promise<void> => {
    const { asked = 1 } =
      (await turns.findOneAndUpdate({ _id }, { $inc: { asked: 1 } }, { upsert: true, returnDocument: 'after' })) ?? {};
    const staff = await askIdentity(context, { path: staffPath, answer: staffList, answerWithin });
    await onStaff(staff, async (session) => {
      const { matchedCount } = await turns.updateOne(
        { _id, applied: { $not: { $gt: asked } } },
        { $set: { applied: asked } },
        { session },
      );
      return matchedCount === 1;
    });
  };
  return new BackgroundLoop(context, { what: 'staff list poll', work, every: pollEvery });
}
