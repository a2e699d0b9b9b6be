import { z } from 'zod';
import { BackgroundLoop } from '../background-loop.ts';
import type { ServiceContext } from '../context.ts';
import { internalHeaders } from './internal-calls.ts';

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

/** Syncs a service's own records with the current staff. Must be safe to repeat and to run in several replicas. */
export type OnStaff = (staff: readonly StaffAccount[]) => Promise<void>;

/**
 * Keeps a service in sync with the staff list.
 *
 * @param urls - svc-identity's replicas, tried in turn
 * @param secret - of internal calls
 * @returns the loop, to be run, and to be woken when someone's rights have changed
 */
export function staffFollower(
  context: Pick<ServiceContext, 'log' | 'stopping'>,
  urls: readonly string[],
  secret: string,
  onStaff: OnStaff,
): BackgroundLoop {
  let attempt = 0;
  const work = async (): Promise<void> => {
    const url = `${urls[attempt % urls.length] ?? ''}${staffPath}`;
    attempt += 1;
    await onStaff(await readStaff(url, secret, context.stopping));
  };
  return new BackgroundLoop(context, { what: 'staff list poll', work, every: pollEvery });
}

async function readStaff(url: string, secret: string, stopping: AbortSignal): Promise<StaffAccount[]> {
  const response = await fetch(url, {
    headers: { accept: 'application/json', ...internalHeaders(secret) },
    signal: AbortSignal.any([stopping, AbortSignal.timeout(5_000)]),
    redirect: 'error',
  });
  if (!response.ok) throw new Error(`${url} responded with ${response.status}`);
  return staffList.parse(await response.json());
}
