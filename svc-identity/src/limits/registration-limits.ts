import { createHash, randomBytes } from 'node:crypto';
import type { Request } from 'express';
import type { Collection } from 'mongodb';
import { networkOf } from '@clinic/contracts/network';
import { leadingZeroBits, proofHeader } from '@clinic/contracts/proof-of-work';
import { isDuplicateKey, ProblemError } from '@clinic/service-kit';
import { UserQueues } from '@clinic/service-kit/user-concurrency';
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
  countNew(uid: string, request: Pick<Request, 'ip' | 'get'>): Promise<void>;
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
  /** Required prefix of a proof of work; changes with each account, so that no proof works twice. */
  readonly salt: string;
  /** The latest accounts, hashed: a repeated registration, or a sign-in during it, counts once. */
  readonly accounts: readonly string[];
  /** When the level reaches zero. */
  readonly resetAt: Date;
}

const hour = 3_600_000;

/** Difficulty for the first account over the free ones, and the maximum: a tenth of a second to a few seconds on a phone. */
const leastBits = 14;
const mostBits = 18;

/** Seconds to wait before the second account over the free ones; doubles with each further one, up to a quarter of an hour. */
const firstWait = 15;
const longestWait = 900;

const accountsRemembered = 20;

/** @param over - how many accounts over the free ones, from 1 */
function waitSeconds(over: number): number {
  return over <= 1 ? 0 : Math.min(firstWait * 2 ** (over - 2), longestWait);
}

/** Counted in the database, so that the limit holds over all replicas together. */
export function registrationLimits(context: IdentityContext): RegistrationLimits {
  const { REGISTRATIONS_PER_HOUR_AND_NETWORK: free } = context.settings;
  const leakMs = hour / Math.max(free, 1);
  const buckets: Collection<Bucket> = context.db.collection('counts');
  // Serialises a network's requests, which would otherwise conflict and retry.
  const queues = new UserQueues(1);

  async function count(_id: string, account: string, proof: string | undefined): Promise<void> {
    for (;;) {
      const now = Date.now();
      const bucket = await buckets.findOne({ _id });
      if (bucket?.accounts.includes(account)) return;
      const level = bucket ? Math.max(0, bucket.level - (now - bucket.at.getTime()) / leakMs) : 0;
      const over = Math.ceil(level + 1 - free);
      if (over > 0 && bucket) assertProved(bucket, over, proof, now);
      // If none are free, the first challenge needs a salt.
      const counts = over <= 0 || bucket;
      const next = {
        level: counts ? level + 1 : 0,
        at: new Date(now),
        salt: randomBytes(15).toString('base64url'),
        accounts: counts ? [account, ...(bucket?.accounts ?? [])].slice(0, accountsRemembered) : [],
        resetAt: new Date(now + (level + 1) * leakMs),
      };
      if ((await replace(_id, bucket, next)) && counts) return;
    }
  }

  /** @returns `false` if a concurrent request was faster */
  async function replace(_id: string, bucket: Bucket | null, next: Omit<Bucket, '_id'>): Promise<boolean> {
    if (bucket) return (await buckets.updateOne({ _id, salt: bucket.salt }, { $set: next })).matchedCount === 1;
    try {
      await buckets.insertOne({ _id, ...next });
      return true;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return false;
    }
  }

  return {
    async countNew(uid, request) {
      if (await usersOf(context).findOne({ uid }, { projection: { _id: 1 } })) return;
      const network = hash(`registrations ${networkOf(request.ip ?? '')}`);
      await queues.run(network, () => count(network, hash(`account ${uid}`), request.get(proofHeader)));
    },
  };
}

/** @throws ProblemError rate_limited with the challenge, and when to retry */
function assertProved({ salt, at }: Bucket, over: number, proof: string | undefined, now: number): void {
  const bits = Math.min(leastBits + over - 1, mostBits);
  const wait = Math.max(0, Math.ceil((at.getTime() + waitSeconds(over) * 1_000 - now) / 1_000));
  if (wait === 0 && proves(proof, salt, bits)) return;
  const minutes = Math.ceil(wait / 60);
  throw new ProblemError('rate_limited', {
    detail: `Many accounts have been created from your network. Try again in ${wait > 60 ? `${minutes} minutes` : 'a minute'}.`,
    retryAfter: Math.max(1, wait),
    challenge: { salt, bits, waitSeconds: wait },
  });
}

function proves(proof: string | undefined, salt: string, bits: number): boolean {
  if (proof === undefined || !proof.startsWith(`${salt}.`) || !/\.\d{1,16}$/.test(proof)) return false;
  return leadingZeroBits(createHash('sha256').update(proof).digest()) >= bits;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
