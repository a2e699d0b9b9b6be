import { createHash, randomBytes } from 'node:crypto';
import type { Collection } from 'mongodb';
import { networkOf } from '@clinic/contracts/network';
import { leadingZeroBits, type ProofChallenge } from '@clinic/contracts/proof-of-work';
import { isDuplicateKey, isWithin, ProblemError } from '@clinic/service-kit';
import { UserQueues } from '@clinic/service-kit/user-concurrency';
import type { CallingBrowser } from '../sessions/calling-browser.ts';
import type { IdentityContext } from '../settings.ts';
import { usersOf } from '../users/user-record.ts';

/** Limits mass registration. */
export interface RegistrationLimits {
  /**
   * Counts a new account for its network; does nothing for an account that already has a user.
   *
   * @param uid - of the verified Firebase account
   * @throws ProblemError rate_limited with a challenge, once a network has made more accounts than a family does
   */
  countNew(uid: string, browser: Pick<CallingBrowser, 'address' | 'proofOfWork'>): Promise<void>;
}

/**
 * A leaky bucket: each new account raises the level by one, and it leaks as many per hour as are free. Stored among the
 * counts, which are purged when they end.
 */
interface Bucket {
  /** The network, hashed: we don't store visitors' network addresses. */
  readonly _id: string;
  readonly level: number;
  /** When the last account was registered, which set this level. */
  readonly at: Date;
  /** Changes with each account, so that of two concurrent ones the second counts the first. */
  readonly salt: string;
  /** Makes the salts of this network's challenges; absent in rows of the previous release. */
  readonly seed?: string;
  /** The latest accounts, hashed: a repeated registration, or a sign-in during it, counts once. */
  readonly accounts: readonly string[];
  /** When the level reaches zero. */
  readonly resetAt: Date;
}

const hour = 3_600_000;

/**
 * Difficulty for the first account over the free ones, and the maximum: a tenth of a second to a few seconds on a phone. Each
 * step doubles the work.
 */
const leastBits = 14;
const mostBits = 20;
const accountsPerStep = 3;

/** Difficulty that a proof may lack: others may have registered while it was computed. */
const grace = 1;

/** How many times the free accounts register in an hour by work alone: a full waiting room, and few enough for an attack. */
const crowd = 5;

/** Seconds to wait before the first account over the crowd; doubles with each further one, up to a quarter of an hour. */
const firstWait = 15;
const longestWait = 900;

const accountsRemembered = 20;

/** Seconds after which an account tries again that found too many others of its network being counted. */
const queueWait = 5;

/** @param over - how many accounts over the crowd, from 1 */
function waitSeconds(over: number): number {
  return over < 1 ? 0 : Math.min(firstWait * 2 ** (over - 1), longestWait);
}

/** Counted in the database, so that the limit holds over all replicas together. */
export function registrationLimits(context: IdentityContext): RegistrationLimits {
  const { REGISTRATIONS_PER_HOUR_AND_NETWORK: free, REGISTRATIONS_UNLIMITED_FROM: unlimited } = context.settings;
  const leakMs = hour / Math.max(free, 1);
  const buckets: Collection<Bucket> = context.db.collection('counts');
  // Serialises a network's requests, which would otherwise conflict and retry.
  const queues = new UserQueues(1);
  const most = crowd * Math.max(free, 1);
  const levelOf = (bucket: Bucket | null, now: number): number =>
    bucket ? Math.max(0, bucket.level - (now - bucket.at.getTime()) / leakMs) : 0;
  const overFree = (level: number): number => Math.ceil(level + 1 - free);

  async function count(_id: string, account: string, proof: string | undefined): Promise<void> {
    for (;;) {
      const now = Date.now();
      const bucket = await buckets.findOne({ _id });
      if (bucket?.accounts.includes(account)) return;
      const level = levelOf(bucket, now);
      const over = overFree(level);
      if (over > 0 && bucket) assertProved(proof, challengeFor(bucket, { account, over, most }, now));
      // If none are free, the first challenge needs a salt.
      const counts = over <= 0 || bucket;
      const next = {
        level: counts ? level + 1 : 0,
        at: new Date(now),
        salt: randomBytes(15).toString('base64url'),
        seed: bucket?.seed ?? randomBytes(15).toString('base64url'),
        accounts: counts ? [account, ...(bucket?.accounts ?? [])].slice(0, accountsRemembered) : [],
        resetAt: new Date(now + (level + 1) * leakMs),
      };
      if ((await replace(buckets, _id, bucket, next)) && counts) return;
    }
  }

  /** A challenge to work off, as for any other rejection: the page tries again by itself. */
  async function whenFull(_id: string, account: string): Promise<ProblemError> {
    const now = Date.now();
    const bucket = await buckets.findOne({ _id });
    const over = Math.max(1, overFree(levelOf(bucket, now)));
    const at = bucket?.at ?? new Date(now);
    const challenge = challengeFor({ salt: account, ...bucket, at }, { account, over, most }, now);
    return rejectedWith({ ...challenge, waitSeconds: Math.max(challenge.waitSeconds, queueWait) });
  }

  return {
    async countNew(uid, { address = '', proofOfWork }) {
      if (isWithin(address, unlimited)) return;
      if (await usersOf(context).findOne({ uid }, { projection: { _id: 1 } })) return;
      const network = hash(`registrations ${networkOf(address)}`);
      const account = hash(`account ${uid}`);
      const full = new ProblemError('rate_limited');
      try {
        await queues.run(network, () => count(network, account, proofOfWork), full);
      } catch (error) {
        throw error === full ? await whenFull(network, account) : error;
      }
    },
  };
}

/** @returns `false` if a concurrent request was faster */
async function replace(
  buckets: Collection<Bucket>,
  _id: string,
  bucket: Bucket | null,
  next: Omit<Bucket, '_id'>,
): Promise<boolean> {
  if (bucket) return (await buckets.updateOne({ _id, salt: bucket.salt }, { $set: next })).matchedCount === 1;
  try {
    await buckets.insertOne({ _id, ...next });
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return false;
  }
}

/** An account over the free ones. */
interface Excess {
  /** Hashed. */
  readonly account: string;
  /** Which one it is, from 1. */
  readonly over: number;
  /** How many need no wait. */
  readonly most: number;
}

/** Each account has a challenge of its own, so that people who register at the same time work side by side. */
function challengeFor(
  { seed, salt, at }: Pick<Bucket, 'seed' | 'salt' | 'at'>,
  { account, over, most }: Excess,
  now: number,
): ProofChallenge {
  const opensAt = at.getTime() + waitSeconds(over - most) * 1_000;
  return {
    salt: hash(`challenge ${seed ?? salt} ${account}`).slice(0, 20),
    bits: Math.min(leastBits + Math.floor((over - 1) / accountsPerStep), mostBits),
    waitSeconds: Math.max(0, Math.ceil((opensAt - now) / 1_000)),
  };
}

/** @throws ProblemError rate_limited with the challenge, and when to retry */
function assertProved(proof: string | undefined, challenge: ProofChallenge): void {
  const { salt, bits, waitSeconds: wait } = challenge;
  if (wait > 0 || !proves(proof, salt, Math.max(bits - grace, leastBits))) throw rejectedWith(challenge);
}

function rejectedWith(challenge: ProofChallenge): ProblemError {
  const { waitSeconds: wait } = challenge;
  return new ProblemError('rate_limited', {
    detail: `Many accounts have been created from your network. Try again in ${wait > 60 ? `${Math.ceil(wait / 60)} minutes` : 'a minute'}.`,
    retryAfter: Math.max(1, wait),
    challenge,
  });
}

function proves(proof: string | undefined, salt: string, bits: number): boolean {
  if (proof === undefined || !proof.startsWith(`${salt}.`) || !/\.\d{1,16}$/.test(proof)) return false;
  return leadingZeroBits(createHash('sha256').update(proof).digest()) >= bits;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
