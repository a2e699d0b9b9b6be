import { confirmedAccounts, dailyLimit, ProblemError, readStanding, SharedCount } from '@clinic/service-kit';
import { canOptOut, linkForAddress, messageKinds, type SuppressionReason } from '../contract/kinds.ts';
import type { MessageRecord } from '../ledger/message-record.ts';
import type { MessagesContext } from '../settings.ts';

/** Whether a message may be sent to an address now. */
export type Allowed =
  | { readonly act: 'send' }
  | { readonly act: 'suppress'; readonly reason: SuppressionReason }
  /** svc-identity couldn't be asked. */
  | { readonly act: 'wait' };

const dayMs = 86_400_000;

type Addressed = Pick<MessageRecord, 'kind' | 'to'>;

/**
 * How many messages an address gets in 24 hours, over all replicas together, and which: an account whose address isn't
 * confirmed may have named anybody's. Messages about the account's security have a limit of their own, so that neither
 * uses up the other's.
 */
export class Allowance {
  readonly #context: MessagesContext;
  readonly #usual: Limit;
  readonly #security: Limit;

  constructor(context: MessagesContext) {
    this.#context = context;
    this.#usual = limitOf(context, 'mails', 50);
    this.#security = limitOf(context, 'security-mails', 10);
  }

  /** Counts a message that is about to be sent. @param email - lower case */
  async take(message: Addressed, email: string): Promise<Allowed> {
    const confirmed = await this.#isConfirmed(message);
    if (confirmed === undefined) return { act: 'wait' };
    if (!confirmed) return { act: 'suppress', reason: 'unconfirmed' };
    const { count, most } = this.#limitFor(message);
    const { totalHits } = await count.increment(email);
    return totalHits > most ? { act: 'suppress', reason: 'too-many' } : { act: 'send' };
  }

  /** Takes the count of a message back that couldn't be sent: another attempt counts it again. */
  async giveBack(message: Addressed, email: string): Promise<void> {
    await this.#limitFor(message).count.decrement(email);
  }

  #limitFor({ kind }: Addressed): Limit {
    return isSecurity(kind) ? this.#security : this.#usual;
  }

  /** @returns `undefined` if svc-identity couldn't be asked */
  async #isConfirmed({ kind, to: { account } }: Addressed): Promise<boolean | undefined> {
    // Without an account, staff have written the address down for somebody. A link proves that somebody reads the address,
    // or warns whoever does.
    if (account === undefined || linkForAddress.some((one) => one === kind)) return true;
    if ((await confirmedAccounts(this.#context, [account])).has(account)) return true;
    try {
      return (await readStanding(this.#context, account)).confirmed ?? true;
    } catch (error) {
      if (error instanceof ProblemError && error.code === 'unavailable') return undefined;
      throw error;
    }
  }
}

interface Limit {
  readonly most: number;
  readonly count: SharedCount;
}

function limitOf(context: MessagesContext, act: string, most: number): Limit {
  const limit = dailyLimit(context.db, { act, most });
  return { most: limit, count: new SharedCount(context, act, limit, dayMs) };
}

const isSecurity = (kind: string): boolean => messageKinds.some((one) => one === kind && !canOptOut(one));
