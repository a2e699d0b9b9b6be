import { z } from 'zod';
import { accountsPath } from './account-standing.ts';
import { NoSuchPath } from '../http/ask-replicas.ts';
import { askIdentity, type IdentityAccess } from './ask-identity.ts';

/**
 * Where svc-identity serves the account feed: `GET ?after=SEQ&limit=N` returns the next {@link AccountChanges}. The
 * gateway never routes it.
 */
export const accountFeedPath = `${accountsPath}/changes`;

/** Most accounts in one response. */
export const mostChanges = 500;

/** A confirmed address of an account, and from when the records are that it has under it. */
const holding = z.object({
  /** Lower case. */
  email: z.string(),
  /** When its previous owner gave it up, an ISO instant: earlier records are theirs. Absent: nobody had confirmed it before. */
  since: z.iso.datetime().optional(),
  /** When this account gave it up, an ISO instant; absent: it has it now. */
  until: z.iso.datetime().optional(),
});
export type Holding = z.output<typeof holding>;

/**
 * The state of an account after its latest change: who owns which address, and what the account may do. The feed has one
 * entry for each account, so a reader that was away for long gets the latest state only, and learns from `held` whose
 * records are that were made meanwhile.
 */
export const accountChange = z.object({
  account: z.string(),
  /** Position in the feed: it grows with every change, in the order in which changes were committed. */
  seq: z.number().int(),
  /** Version of the account's rights at the change; a session token of a lower version is older than it. */
  version: z.number().int(),
  /** The confirmed current address, lower case; absent while it is unconfirmed, and after a deletion. */
  email: z.string().optional(),
  /** Confirmed addresses that it had and gave up, lower case; somebody else may have them now. */
  former: z.array(z.string()).default([]),
  /** Every confirmed address with its time, oldest first; absent: svc-identity is of an earlier release. */
  held: z.array(holding).optional(),
  /** It exists, and is neither switched off nor being deleted. */
  active: z.boolean(),
  /** The assigned role; patient while the address is unconfirmed. */
  role: z.enum(['admin', 'doctor', 'patient', 'pharmacist']),
  /** Has, or once had, a staff role. */
  staff: z.literal(true).optional(),
  /** When all its sessions were last ended, an ISO instant. */
  sessionsEndedAt: z.iso.datetime().optional(),
  /** It is being deleted, or has been: that can't be undone. */
  erasing: z.literal(true).optional(),
});
export type AccountChange = z.output<typeof accountChange>;

const accountChanges = z.object({
  changes: z.array(accountChange),
  /** The feed's latest position; lower than a reader's if svc-identity's database was restored from a backup. */
  latest: z.number().int(),
});

/** The accounts that changed after a position, in order; fewer than the limit: there are no more now. */
export type AccountChanges = z.output<typeof accountChanges>;

/** Milliseconds within which a replica must respond. */
const answerWithin = 5_000;

/**
 * Reads the next entries of the account feed.
 *
 * @param after - position of the last entry that has been applied
 * @returns `undefined` if no replica has the feed: svc-identity is of an earlier release
 * @throws the last replica's error if none responds
 */
export async function readAccountChanges(identity: IdentityAccess, after: number): Promise<AccountChanges | undefined> {
  const query = { after: String(after), limit: String(mostChanges) };
  try {
    return await askIdentity(identity, { path: accountFeedPath, query, answer: accountChanges, answerWithin });
  } catch (error) {
    if (error instanceof NoSuchPath) return undefined;
    throw error;
  }
}
