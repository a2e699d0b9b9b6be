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

/** Syncs a service's own records with the current staff. Must be safe to repeat and to run in several replicas. */
export type OnStaff = (staff: readonly StaffAccount[]) => Promise<void>;

/**
 * Keeps a service in sync with the staff list.
 *
 * @returns the loop, to be run, and to be woken when someone's rights have changed
 */
export function staffFollower(context: IdentityAccess & Pick<ServiceContext, 'log'>, onStaff: OnStaff): BackgroundLoop {
  const work = async (): Promise<void> =>
    onStaff(await askIdentity(context, { path: staffPath, answer: staffList, answerWithin }));
  return new BackgroundLoop(context, { what: 'staff list poll', work, every: pollEvery });
}
