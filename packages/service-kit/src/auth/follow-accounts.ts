import { setTimeout as delay } from 'node:timers/promises';
import type { ClientSession, Db } from 'mongodb';
import { BackgroundLoop } from '../background-loop.ts';
import type { ServiceContext } from '../context.ts';
import { unavailable } from '../http/error-mapping.ts';
import { ProblemError } from '../http/problem-error.ts';
import { readAccountChanges, type AccountChange } from './account-feed.ts';
import { applyChanges } from './apply-account-changes.ts';
import type { IdentityAccess } from './ask-identity.ts';
import { accountOfEmail } from './contacts.ts';
import { joinHeld, joinOwned, type JoinRecords } from './join-records.ts';
import { changeOf, followedPositionOf, knownAccountsOf, type KnownAccount } from './known-accounts.ts';

/**
 * Lets a service's own records follow a change of an account, after the change has been applied to its copy of the feed:
 * the copy (`knownAccounts`) and the owner of each address (`accountOfEmail`) are already right.
 *
 * Called at least once for the latest state of each account, outside of a transaction, perhaps by several replicas at
 * once and again after a restart, so it must be safe to repeat; intermediate states may be skipped. Works in batches with
 * transactions of its own. If it throws, it is called again a second later, and other accounts go on.
 *
 * @param change - the account's state, e.g. `email` (its current address), `former`, `active`, `erasing`
 */
export type OnAccount = (change: AccountChange) => Promise<void>;

/** What a service does with changed accounts. */
export interface AccountHooks {
  readonly joinRecords?: JoinRecords | undefined;
  readonly onAccount?: OnAccount | undefined;
}

type FollowingContext = IdentityAccess & Pick<ServiceContext, 'db' | 'inTransaction' | 'log'>;

/** Milliseconds between two polls if no change is reported. */
const pollEvery = 60_000;

/** Milliseconds for which a request waits for a feed that is unavailable, and between its attempts. */
const waitsFor = 3_000;
const askEvery = 200;

/** Entries applied in one transaction, and accounts whose records follow at a time. */
const batchSize = 100;

/** By database: whoever writes a record has no other part of the service. */
const followers = new WeakMap<Db, AccountFollower>();

/** Says whose a new record is; call it in the transaction that writes the record. */
export type RecordOwner = (session: ClientSession) => Promise<string | undefined>;

/**
 * Whose a new record under an email address will be: the caller's own under their own address, otherwise that of the account
 * that has confirmed the address, if any. Call it before the transaction: it first makes sure that this service knows every
 * change of an account up to now, so that the record can't go to an account that has given the address up. Services have
 * no other way to ask for an address's owner in a transaction.
 *
 * @param email - lower case
 * @param caller - who may write the record for themselves
 * @param seen - the account that the caller saw at the address: if it is no longer theirs, the transaction is rejected with
 *   `changed_meanwhile`. Who hasn't confirmed an address doesn't own it, and can be seen at it all the same
 * @throws ProblemError unavailable if svc-identity can't be asked
 */
export async function ownerOfRecord(
  { db }: { readonly db: Db },
  email: string,
  caller?: { readonly id: string; readonly email: string },
  seen?: string,
): Promise<RecordOwner> {
  const own = caller?.email === email;
  if (!own && (await followers.get(db)?.current()) === false)
    throw unavailable('We can’t check this email address right now. Try again in a moment.');
  return async (session) => {
    const owner = own ? caller.id : await accountOfEmail({ db }, session, email);
    const expected = seen?.toLowerCase();
    if (expected !== undefined && owner !== expected && (owner !== undefined || (await gaveUp(db, expected, session))))
      throw new ProblemError('changed_meanwhile', {
        detail: `${email} isn’t the email address of the person you chose any more. We haven’t changed anything. Find the person again by name.`,
      });
    return owner;
  };
}

/** Whether an account has left an address that nobody owns: it has confirmed another, or is being deleted. */
async function gaveUp(db: Db, account: string, session: ClientSession): Promise<boolean> {
  const known = await knownAccountsOf({ db }).findOne({ _id: account }, { session });
  return known !== null && (known.email !== undefined || known.former.length > 0 || known.erasing === true);
}

/**
 * Applies every change of an account up to now, if svc-identity can be asked at once; for work in the background, which
 * goes on with what the service knows. Without svc-identity nobody's address changes.
 */
export async function catchUpWithAccounts({ db }: { readonly db: Db }): Promise<void> {
  await followers.get(db)?.current(0);
}

/**
 * Gives records that this service has just written for an address to whoever had it when they were made, after it has
 * learned every change of an account up to now, as far as svc-identity can be asked.
 *
 * @param email - lower case
 */
export async function joinWritten(
  context: Pick<ServiceContext, 'db' | 'inTransaction'>,
  join: JoinRecords,
  email: string,
): Promise<void> {
  const follower = followers.get(context.db);
  // While it reads the feed for the first time, a service knows some of an account's changes and not yet the last.
  const current = follower !== undefined && (await follower.decides()) && (await follower.current(0));
  await joinHeld(context, join, email, current);
}

/**
 * Follows the account feed of svc-identity, for every service. The position is stored in the service's own database, and
 * entries are applied in a transaction that moves it, so replicas and restarts neither skip nor repeat one. Applying an
 * entry changes the copy of the account and the owner of its addresses at once; the service's own records follow
 * afterwards ({@link OnAccount}), account by account.
 */
export class AccountFollower {
  readonly #context: FollowingContext;
  readonly #hooks: AccountHooks;
  #hasFeed: boolean | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  readonly #loop: BackgroundLoop;

  constructor(context: FollowingContext, hooks: AccountHooks = {}) {
    this.#context = context;
    this.#hooks = hooks;
    const work = async (): Promise<void> => {
      await this.#catchUp();
      await this.#letRecordsFollow();
    };
    this.#loop = new BackgroundLoop(context, { what: 'following accounts', work, every: pollEvery });
    followers.set(context.db, this);
  }

  /** Call this when accounts may have changed: reads the feed immediately. */
  changed(): void {
    this.#loop.wake();
  }

  /**
   * Whether the feed decides who owns an address. If not (svc-identity is of a release without it, or this service is
   * still reading it for the first time), session tokens do.
   */
  async decides(): Promise<boolean> {
    if (this.#hasFeed === false) return false;
    const position = await followedPositionOf(this.#context).findOne({ _id: 'account feed' });
    return position?.completeSince !== undefined;
  }

  /**
   * Applies every change that was committed before the call, unless the feed doesn't {@link decides | decide}.
   *
   * @param within - milliseconds for which a feed that is unavailable is asked again
   * @returns `false` if svc-identity can't be asked
   */
  async current(within = waitsFor): Promise<boolean> {
    if (!(await this.decides())) return true;
    const until = performance.now() + within;
    for (;;) {
      try {
        await this.#catchUp();
        return true;
      } catch {
        // The background loop logs the outage.
        if (performance.now() >= until || this.#context.stopping.aborted) return false;
        // Only shutdown interrupts the wait.
        await delay(askEvery, undefined, { signal: this.#context.stopping }).catch(() => undefined);
      }
    }
  }

  /** Runs until the service stops. */
  follow(): Promise<void> {
    return this.#loop.run();
  }

  /** Reads to the end of the feed, in a read that begins after the call. */
  async #catchUp(): Promise<void> {
    this.#next ??= this.#afterRunning();
    await this.#next;
  }

  async #afterRunning(): Promise<void> {
    // Its own caller gets its error.
    await this.#running?.catch(() => undefined);
    this.#next = undefined;
    this.#running = this.#readToEnd();
    await this.#running;
  }

  async #readToEnd(): Promise<void> {
    const positions = followedPositionOf(this.#context);
    for (;;) {
      const position = await positions.findOneAndUpdate(
        { _id: 'account feed' },
        { $setOnInsert: { seq: 0 } },
        { upsert: true, returnDocument: 'after' },
      );
      const answer = await readAccountChanges(this.#context, position?.seq ?? 0);
      this.#noteFeed(answer !== undefined);
      if (!answer) return;
      const { changes, latest } = answer;
      if (position && latest < position.seq) {
        this.#context.log.warn('the account feed begins anew, as after a restored backup: reading all of it');
        await positions.updateOne({ _id: 'account feed', seq: position.seq }, { $set: { seq: 0 } });
        continue;
      }
      if (changes.length === 0) {
        if (!position?.completeSince)
          await positions.updateOne({ _id: 'account feed' }, { $set: { completeSince: new Date() } });
        return;
      }
      let after = position?.seq ?? 0;
      for (let begin = 0; begin < changes.length; begin += batchSize) {
        const batch = changes.slice(begin, begin + batchSize);
        // Otherwise another replica was faster.
        if (!(await applyChanges(this.#context, batch, after, this.#hooks.joinRecords))) break;
        // Also after a read for a request: the records have to follow.
        this.changed();
        after = batch.at(-1)?.seq ?? after;
      }
    }
  }

  #noteFeed(present: boolean): void {
    if (!present && this.#hasFeed !== false)
      this.#context.log.warn(
        'svc-identity has no account feed: addresses are learned from session tokens until it is upgraded',
      );
    this.#hasFeed = present;
  }

  /**
   * Lets the service's own records follow every account that has changed, the latest first: a change doesn't wait for the
   * accounts of a service that has just begun to follow. One that fails doesn't hold up the others.
   */
  async #letRecordsFollow(): Promise<void> {
    const { stopping } = this.#context;
    const failed: number[] = [];
    let failure: unknown;
    for (;;) {
      const waiting = await knownAccountsOf(this.#context)
        .find({ pending: { $gt: 0, $nin: failed } })
        .sort({ pending: -1 })
        .limit(batchSize)
        .toArray();
      if (waiting.length === 0) break;
      for (const known of waiting) {
        stopping.throwIfAborted();
        try {
          await this.#follow(known);
        } catch (error) {
          failed.push(known.pending ?? 0);
          failure = error;
        }
        if (!this.#loop.takeWake()) continue;
        await this.#catchUp();
        break;
      }
    }
    if (failed.length > 0)
      throw new Error(`records of ${failed.length} accounts could not follow: ${String(failure)}`, { cause: failure });
  }

  async #follow(known: KnownAccount): Promise<void> {
    const { db } = this.#context;
    const { _id: id, email, pending } = known;
    const { joinRecords, onAccount } = this.#hooks;
    if (joinRecords && email !== undefined) await joinOwned(this.#context, joinRecords, { id, email });
    await onAccount?.(changeOf(known));
    // Unless it has changed again meanwhile.
    if (pending !== undefined)
      await knownAccountsOf({ db }).updateOne({ _id: id, pending }, { $unset: { pending: '' } });
  }
}
