import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Db } from 'mongodb';
import type { AccountChange, Holding } from '../auth/account-feed.ts';
import { catchUpWithAccounts } from '../auth/follow-accounts.ts';
import { followedPositionOf } from '../auth/known-accounts.ts';
import type { TestIssuer } from './issuer.ts';
import { waitUntil } from './wait-until.ts';

/** A step in the life of an address, which passes from account to account. */
export type HandOver =
  /** The service makes a record for the address, for whoever has it. */
  | 'make'
  /** The next account confirms it; the first of them again, at times. */
  | 'confirm'
  | 'return'
  /** Its account moves to another address. */
  | 'leave'
  /** Something else changes about an account that had it: the feed has its latest state after those of others. */
  | 'touch'
  /** From here the service hears nothing of accounts, until it does again. */
  | 'away'
  | 'back';

/** What lives of an address are made of: more often than by chance it is left while the service is away. */
export const handOverParts: readonly (readonly HandOver[])[] = [
  ['make'],
  ['confirm'],
  ['return'],
  ['leave'],
  ['touch'],
  ['away'],
  ['back'],
  ['make', 'away', 'confirm', 'leave'],
  ['make', 'away', 'confirm', 'leave', 'confirm'],
  ['confirm', 'touch'],
];

/** Who has an address, and whose what is made for it will be. */
export class AddressLife {
  readonly email: string;
  readonly #id = randomBytes(8).toString('hex');
  readonly #held = new Map<string, Holding[]>();
  readonly #made: { readonly key: string; owner: string | undefined }[] = [];
  #holder: string | undefined;
  #accounts = 0;
  #freed: string | undefined;

  constructor() {
    this.email = `${this.#id}@mail.example`;
  }

  /** Takes an account's step. @returns its entry in the feed; `undefined` if the step isn't possible now */
  async step(step: HandOver): Promise<Pick<AccountChange, 'account' | 'held' | 'email' | 'former'> | undefined> {
    const since = this.#freed === undefined ? {} : { since: this.#freed };
    if ((step === 'confirm' || step === 'return') && this.#holder === undefined) {
      if (step === 'confirm') this.#accounts += 1;
      this.#holder = this.#accountOf(step === 'confirm' ? this.#accounts : 1);
      this.#held.set(this.#holder, [...(this.#held.get(this.#holder) ?? []), { email: this.email, ...since }]);
      for (const one of this.#made) one.owner ??= this.#holder;
      return this.#entryOf(this.#holder);
    }
    if (step === 'leave' && this.#holder !== undefined) {
      const [account, held] = [this.#holder, this.#held.get(this.#holder) ?? []];
      this.#freed = await this.#instant();
      const last = held.pop();
      if (last) held.push({ ...last, until: this.#freed });
      this.#holder = undefined;
      return this.#entryOf(account);
    }
    return step === 'touch' && this.#accounts > 0 ? this.#entryOf(this.#accountOf(1)) : undefined;
  }

  async make(make: (email: string) => Promise<string>): Promise<void> {
    await this.#instant();
    const key = await make(this.email);
    this.#made.push({ key, owner: this.#holder });
  }

  /** The records with the accounts they must belong to. */
  get expected(): readonly (readonly [key: string, owner: string | undefined])[] {
    return this.#made.map(({ key, owner }) => [key, owner]);
  }

  #accountOf(number: number): string {
    return `${this.#id}${number.toString(16).padStart(8, '0')}`;
  }

  #entryOf(account: string): Pick<AccountChange, 'account' | 'held' | 'email' | 'former'> & { email: string } {
    const elsewhere = `${account}@new.example`;
    const held = this.#held.get(account) ?? [];
    const has = account === this.#holder;
    const left = held.some(({ until }) => until !== undefined);
    return {
      account,
      email: has ? this.email : elsewhere,
      former: left && !has ? [this.email] : [],
      held: has ? [...held] : [...held, { email: elsewhere }],
    };
  }

  /** A time that no other step has. */
  async #instant(): Promise<string> {
    const pass = async (): Promise<number> => {
      const now = Date.now();
      return waitUntil(() => Date.now() > now && Date.now(), 5_000, 1);
    };
    const at = await pass();
    await pass();
    return new Date(at).toISOString();
  }
}

/**
 * Checks that a service's records go to whoever had the address when they were made, or to its next owner, whatever the
 * service missed meanwhile.
 *
 * @param life - e.g. some {@link handOverParts}
 * @param make - makes a record under an address without naming an account; returns its key
 * @param ownerOf - the account that a record belongs to
 */
export async function assertHandedOver(
  { issuer, db }: { readonly issuer: TestIssuer; readonly db: Db },
  life: readonly HandOver[],
  make: (email: string) => Promise<string>,
  ownerOf: (key: string) => Promise<string | undefined>,
): Promise<void> {
  // Until then a service goes by session tokens, and there are none here.
  await waitUntil(async () =>
    assert.ok((await followedPositionOf({ db }).findOne({ _id: 'account feed' }))?.completeSince),
  );
  const address = new AddressLife();
  let away = false;
  const back = async (): Promise<void> => {
    issuer.restoreFeed();
    away = false;
    await catchUpWithAccounts({ db });
  };
  for (const step of life) {
    if (step === 'away' && !away) {
      issuer.breakFeed();
      away = true;
    }
    // Without svc-identity the service makes none.
    if (step === 'back' || (step === 'make' && away)) await back();
    if (step === 'make') await address.make(make);
    const entry = await address.step(step);
    if (entry) issuer.changeAccount(entry.account, entry);
  }
  await back();
  await waitUntil(async () => {
    for (const [key, owner] of address.expected) assert.equal(await ownerOf(key), owner, life.join(', '));
  });
}
