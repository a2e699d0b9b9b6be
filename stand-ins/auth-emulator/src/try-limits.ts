import { networkOf } from '@clinic/contracts/network';

/** An attempt to sign in or create an account, from the emulator's operation and its request. */
export interface Try {
  /** The last part of the operation's name, e.g. `signInWithPassword`. */
  readonly operation: string;
  /** Network address of the visitor. */
  readonly address: string;
  /** Address of the account, if the request has it. */
  readonly email: string | undefined;
  /** Id of the device, if it has signed in to this account before. */
  readonly device?: string | undefined;
}

export interface TryLimitSettings {
  /** Attempts per minute from one network (IPv4 address, IPv6 /64). */
  readonly perAddress: number;
  /** Wrong passwords per minute for one account from one network, or from one known device. */
  readonly wrongPasswords: number;
}

/** Limited operations: those that need no account, or give access to one. */
const limited = new Set([
  'signUp',
  'signInWithPassword',
  'signInWithIdp',
  'createAuthUri',
  'sendOobCode',
  'resetPassword',
]);

const windowMs = 60_000;

/**
 * Limit of wrong passwords for one account from all networks, as a multiple of the limit per network; beyond it only
 * known devices may try.
 */
const networksPerAccount = 10;

/** Maximum number of counters; beyond that the oldest is dropped. */
const rememberAtMost = 20_000;

interface Count {
  tries: number;
  /** When it resets, in milliseconds. */
  readonly endsAt: number;
}

/**
 * Blocks excessive attempts, as a real project does: per network for any attempt, and per account for wrong passwords.
 * A device that has signed in to the account before has its own counters, so that no number of strangers can lock its
 * owner out. From a new device, the owner has to wait while the account is attacked from everywhere.
 */
export class TryLimits {
  readonly #settings: TryLimitSettings;
  readonly #now: () => number;
  readonly #counts = new Map<string, Count>();

  /** @param now - monotonic clock, in milliseconds */
  constructor(settings: TryLimitSettings, now: () => number = () => performance.now()) {
    this.#settings = settings;
    this.#now = now;
  }

  /** Counts an attempt. @returns seconds to wait if it is blocked, `undefined` if it may go ahead */
  begin(one: Try): number | undefined {
    if (!limited.has(one.operation)) return undefined;
    const counts = this.#limitsOf(one).map(({ name, most }) => ({ count: this.#count(name), most }));
    const full = counts.filter(({ count, most }) => count.tries >= most);
    if (full.length > 0)
      return Math.max(1, Math.ceil((Math.max(...full.map(({ count }) => count.endsAt)) - this.#now()) / 1_000));
    for (const { count } of counts) count.tries += 1;
    return undefined;
  }

  /** Uncounts a successful attempt: only wrong passwords count against an account. */
  succeeded(one: Try): void {
    for (const { name, wrongOnly } of this.#limitsOf(one)) {
      const count = this.#count(name);
      // The minute may have ended in the meantime.
      if (wrongOnly && count.tries > 0) count.tries -= 1;
    }
  }

  #limitsOf({ operation, address, email, device }: Try) {
    const { perAddress, wrongPasswords } = this.#settings;
    const account = operation === 'signInWithPassword' ? email?.trim().toLowerCase() : undefined;
    if (account && device !== undefined) {
      return [
        { name: `device ${device}`, most: perAddress, wrongOnly: false },
        { name: `${account} device ${device}`, most: wrongPasswords, wrongOnly: true },
      ];
    }
    const network = networkOf(address);
    return [
      { name: network, most: perAddress, wrongOnly: false },
      ...(account
        ? [
            { name: `${account} ${network}`, most: wrongPasswords, wrongOnly: true },
            { name: `${account} `, most: wrongPasswords * networksPerAccount, wrongOnly: true },
          ]
        : []),
    ];
  }

  #count(name: string): Count {
    const now = this.#now();
    const known = this.#counts.get(name);
    if (known && known.endsAt > now) return known;
    this.#counts.delete(name);
    if (this.#counts.size >= rememberAtMost) this.#counts.delete(this.#counts.keys().next().value ?? '');
    const count = { tries: 0, endsAt: now + windowMs };
    this.#counts.set(name, count);
    return count;
  }
}
