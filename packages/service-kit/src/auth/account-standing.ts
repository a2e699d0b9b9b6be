import { z } from 'zod';
import { unavailable } from '../http/error-mapping.ts';
import { askIdentity, type IdentityAccess } from './ask-identity.ts';

/** Where svc-identity tells other services what an account may do now; the gateway never routes it. */
export const accountsPath = '/internal/accounts';

const accountStanding = z.object({
  /** It exists, and is neither switched off nor being deleted. */
  active: z.boolean(),
  /** The role in effect now. */
  role: z.enum(['admin', 'doctor', 'patient', 'pharmacist']),
  /** Whether its address is confirmed; absent from a svc-identity of an earlier release. */
  confirmed: z.boolean().optional(),
  /** The confirmed address, lower case; absent while it is unconfirmed, and from a release that doesn't say. */
  email: z.string().optional(),
  /** First and last name; absent if it has none, and from earlier releases. */
  name: z.string().optional(),
  /** When all its sessions were last ended, an ISO instant. */
  sessionsEndedAt: z.iso.datetime().optional(),
});

/** What an account may do now: for access that outlives a session, such as a calendar's secret address. */
export type AccountStanding = z.output<typeof accountStanding>;

/** Milliseconds within which a replica must respond. */
const answerWithin = 2_000;

/**
 * Reads an account's standing from svc-identity, each time: a session's token could be minutes old.
 *
 * @param id - the account's id
 * @throws ProblemError unavailable if no replica responds
 */
export async function readStanding(identity: IdentityAccess, id: string): Promise<AccountStanding> {
  const path = `${accountsPath}/${encodeURIComponent(id)}`;
  try {
    return await askIdentity(identity, { path, answer: accountStanding, answerWithin });
  } catch (error) {
    throw unavailable('We can’t check this right now. Try again in a moment.', error);
  }
}
