import { networkOf } from '@clinic/contracts/network';

/** A try to get in or to get an account, as the emulator's operation and its request tell it. */
export interface Try {
  /** The last part of the operation's name, e.g. `signInWithPassword`. */
  readonly operation: string;
  /** Network address of the visitor. */
  readonly address: string;
  /** Whose account it is about, where the request says. */
  readonly email: string | undefined;
  /** Id of the device, where somebody has signed in to this account from it before. */
  readonly device?: string | undefined;
}

export interface TryLimitSettings {
  /** Tries of one network (IPv4 address, IPv6 /64) within a minute. */
  readonly perAddress: number;
  /** Wrong passwords for one account from one network, or one device that the account knows, within a minute. */
  readonly wrongPasswords: number;
}

/** What somebody can do without an account, or to get into one. */
const limited = new Set(['signUp', 'signInWithPassword', 'signInWithIdp', 'createAuthUri', 'sendOobCode', 'resetPassword']);

const windowMs = 60_000;

/** Wrong passwords for one account from everywhere, as a multiple of those from one network; then only known devices may try. */
const networksPerAccount = 10;

/** Counts that are kept at most; beyond that the oldest is forgotten. */
const rememberAtMost = 20_000;

interface Count {
  tries: number;
  /** When it begins anew, in milliseconds. */
  readonly endsAt: number;
}

/**
 * Keeps those out who try without end, as a real project does by itself: by network, whatever it tries, and by account, as
 * long as its password is wrong. A device from which somebody has signed in to the account before has counts of its own: no
 * number of strangers keeps its owner out. Who comes from a new device while an account is tried from everywhere waits.
 */
export class TryLimits {
  readonly #settings: TryLimitSettings;
  readonly #now: () => number;
  readonly #counts = new Map<string, Count>();

  /** @param now - milliseconds of a clock that never goes back */
  constructor(settings: TryLimitSettings, now: () => number = () => performance.now()) {
    this.#settings = settings;
    this.#now = now;
  }

  /** Counts a try. @returns seconds that it comes too early; `undefined`: go ahead */
  begin(one: Try): number | undefined {
    if (!limited.has(one.operation)) return undefined;
    const counts = this.#limitsOf(one).map(({ name, most }) => ({ count: this.#count(name), most }));
    const full = counts.filter(({ count, most }) => count.tries >= most);
    if (full.length > 0) return Math.max(1, Math.ceil((Math.max(...full.map(({ count }) => count.endsAt)) - this.#now()) / 1_000));
    for (const { count } of counts) count.tries += 1;
    return undefined;
  }

  /** The try has succeeded: only wrong passwords count against an account. */
  succeeded(one: Try): void {
    for (const { name, wrongOnly } of this.#limitsOf(one)) {
      const count = this.#count(name);
      // Its minute may have ended meanwhile.
      if (wrongOnly && count.tries > 0) count.tries -= 1;
    }
  }

  #limitsOf({ operation, address, email, device }: Try) {
    const { perAddress, wrongPasswords } = this.#settings;
    const account = operation === 'signInWithPassword' ? email?.trim().toLowerCase() : undefined;
    if (account && device !== undefined) {
      return [{ name: `device ${device}`, most: perAddress, wrongOnly: false }, { name: `${account} device ${device}`, most: wrongPasswords, wrongOnly: true }];
    }
    const network = networkOf(address);
    return [
      { name: network, most: perAddress, wrongOnly: false },
      ...(account ? [{ name: `${account} ${network}`, most: wrongPasswords, wrongOnly: true }, { name: `${account} `, most: wrongPasswords * networksPerAccount, wrongOnly: true }] : []),
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
