import type { ServiceContext } from '../context.ts';
import { contactsOf } from './contacts.ts';
import { freeSince, joinOwned, type JoinRecords } from './join-records.ts';
import { knownAccountsOf } from './known-accounts.ts';
import type { SessionCaller } from './session-claims.ts';

/** Accounts cached as joined, which saves a lookup per call. */
const rememberAtMost = 10_000;

/** What decides who owns an address, apart from a session token. */
export interface AddressFeed {
  /** Whether it decides; if not, tokens do. */
  decides(): Promise<boolean>;
  /** Applies every change up to now. */
  current(): Promise<boolean>;
}

/**
 * Makes sure that an account has its records before its first call is handled, even if the call arrives before the
 * account feed. An unconfirmed address gets nothing.
 */
export class Joining {
  readonly #context: Pick<ServiceContext, 'db' | 'inTransaction'>;
  readonly #join: JoinRecords;
  readonly #feed: AddressFeed | undefined;
  readonly #joined = new Set<string>();

  constructor(context: Pick<ServiceContext, 'db' | 'inTransaction'>, join: JoinRecords, feed: AddressFeed | undefined) {
    this.#context = context;
    this.#join = join;
    this.#feed = feed;
  }

  /** Call this before handling a caller's request. */
  async ensureJoined(caller: Pick<SessionCaller, 'id' | 'email' | 'confirmed' | 'version'>): Promise<void> {
    const { id, email, confirmed } = caller;
    if (!confirmed) return;
    const key = `${id} ${email}`;
    if (this.#joined.has(key)) return;
    const claim = await this.#claimOf(caller);
    if (claim === 'none') return;
    if (claim === 'token') await this.#learn(id, email);
    else await this.#joinIfPending(id, email);
    if (this.#joined.size >= rememberAtMost) this.#joined.clear();
    this.#joined.add(key);
  }

  /**
   * What gives the caller their address: the `feed`, or the session `token`. With a feed a token does only if the feed says
   * nothing about the account's address, because it was confirmed at a replica of a release without the feed. Never if the
   * feed knows a newer state: the token is about to end, and the address may be somebody else's.
   */
  async #claimOf({
    id,
    email,
    version,
  }: Pick<SessionCaller, 'id' | 'email' | 'version'>): Promise<'feed' | 'token' | 'none'> {
    const ownerNow = async () =>
      (await contactsOf(this.#context.db).findOne({ _id: email }, { projection: { accountId: 1 } }))?.accountId;
    if ((await ownerNow()) === id) return 'feed';
    if (!this.#feed || !(await this.#feed.decides())) return 'token';
    await this.#feed.current();
    const known = await knownAccountsOf(this.#context).findOne({ _id: id });
    if (known && (known.email !== undefined || known.version > version)) return known.email === email ? 'feed' : 'none';
    const owner = await ownerNow();
    return owner === undefined || owner === id ? 'token' : 'none';
  }

  /** The records join in the background, but a caller doesn't have to wait for their turn. */
  async #joinIfPending(id: string, email: string): Promise<void> {
    const known = await knownAccountsOf(this.#context).findOne({ _id: id }, { projection: { pending: 1 } });
    if (known?.pending !== undefined) await joinOwned(this.#context, this.#join, { id, email });
  }

  async #learn(id: string, email: string): Promise<void> {
    const contacts = contactsOf(this.#context.db);
    await this.#context.inTransaction(async (session) => {
      await contacts.updateOne(
        { _id: email },
        { $set: { accountId: id }, $inc: { writes: 1 } },
        { upsert: true, session },
      );
      // The account's previous address no longer belongs to it.
      await contacts.deleteMany({ accountId: id, _id: { $ne: email } }, { session });
      const from = await freeSince(this.#context, email, session);
      await this.#join(session, { id, email, ...(from && { from }) });
    });
  }
}
