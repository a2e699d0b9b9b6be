/** A try to get in or to get an account, as the emulator's operation and its request tell it. */
export interface Try {
  /** The last part of the operation's name, e.g. `signInWithPassword`. */
  readonly operation: string;
  /** Network address of the visitor. */
  readonly address: string;
  /** Whose account it is about, where the request says. */
  readonly email: string | undefined;
}

export interface TryLimitSettings {
  /** Tries of one address within a minute. */
  readonly perAddress: number;
  /** Wrong passwords for one account from one address within a minute. */
  readonly wrongPasswords: number;
}

/** What somebody can do without an account, or to get into one. */
const limited = new Set(['signUp', 'signInWithPassword', 'signInWithIdp', 'createAuthUri', 'sendOobCode', 'resetPassword']);

const windowMs = 60_000;

/** An account may be tried from so many times as many addresses: only then is its owner kept out, too. */
const addressesPerAccount = 10;

/** Counts that are kept at most; beyond that the oldest is forgotten. */
const rememberAtMost = 20_000;

interface Count {
  tries: number;
  /** When it begins anew, in milliseconds. */
  readonly endsAt: number;
}

/**
 * Keeps those out who try without end, as a real project does by itself: by address, whatever it tries, and by account, as
 * long as its password is wrong. Somebody else's tries from elsewhere keep nobody from their own account, up to a bound.
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

  #limitsOf({ operation, address, email }: Try) {
    const { perAddress, wrongPasswords } = this.#settings;
    const account = operation === 'signInWithPassword' ? email?.trim().toLowerCase() : undefined;
    return [
      { name: address, most: perAddress, wrongOnly: false },
      ...(account ? [{ name: `${account} ${address}`, most: wrongPasswords, wrongOnly: true }, { name: `${account} `, most: wrongPasswords * addressesPerAccount, wrongOnly: true }] : []),
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
