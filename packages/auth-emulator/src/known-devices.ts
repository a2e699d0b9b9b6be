import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Names of the cookies begin so; the gateway lets only these through to the emulator. */
export const deviceCookiePrefix = 'clinic_device_';

/** Where browsers send them: to the sign-in, and to no page and no service. */
const path = '/identitytoolkit.googleapis.com';

/** Half a year without signing in there makes a device unknown again, in seconds. */
const lifetime = 15_552_000;

/** Accounts that one browser is known for; beyond that it forgets the one that signed in longest ago. */
const mostAccounts = 20;

/**
 * Remembers by a signed cookie that somebody has signed in to an account from this browser before. It opens nothing: limits
 * count its tries apart, so that strangers who guess passwords elsewhere don't keep the account's owner out.
 */
export class KnownDevices {
  readonly key: Buffer;

  /** @param key - of the signatures, 32 bytes; other ones make all devices unknown */
  constructor(key: Buffer = randomBytes(32)) {
    this.key = key;
  }

  /**
   * @param cookies - the request's `Cookie` field
   * @returns the device's id, where it is known for this account
   */
  find(email: string, cookies: string | undefined): string | undefined {
    const name = this.#nameFor(email);
    const value = deviceCookies(cookies).get(name);
    const [id = '', since = '', signature = ''] = value?.split('.') ?? [];
    const expected = this.#sign(`${name} ${id} ${since}`);
    const given = Buffer.from(signature, 'base64url');
    const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
    return isOurs && Date.now() - Number(since) < lifetime * 1_000 ? id : undefined;
  }

  /**
   * Remembers a sign-in.
   *
   * @param isSecure - whether the visitor came by https
   * @returns `Set-Cookie` fields: of this account, and of those that make room for it
   */
  remember(email: string, cookies: string | undefined, isSecure: boolean): string[] {
    const name = this.#nameFor(email);
    const id = this.find(email, cookies) ?? randomBytes(12).toString('base64url');
    const since = String(Date.now());
    const value = `${id}.${since}.${this.#sign(`${name} ${id} ${since}`).toString('base64url')}`;
    const attributes = `; Path=${path}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
    const others = [...deviceCookies(cookies)].filter(([other]) => other !== name).toSorted(([, a], [, b]) => sinceOf(b) - sinceOf(a));
    const surplus = others.slice(mostAccounts - 1);
    return [`${name}=${value}; Max-Age=${lifetime}${attributes}`, ...surplus.map(([other]) => `${other}=; Max-Age=0${attributes}`)];
  }

  /** Tells nobody who looks at a browser's cookies which addresses signed in there. */
  #nameFor(email: string): string {
    return deviceCookiePrefix + this.#sign(`account ${email.trim().toLowerCase()}`).toString('hex').slice(0, 20);
  }

  #sign(text: string): Buffer {
    return createHmac('sha256', this.key).update(text).digest();
  }
}

function sinceOf(value: string): number {
  return Number(value.split('.')[1]) || 0;
}

function deviceCookies(cookies = ''): Map<string, string> {
  const pairs = cookies.split(';').map((pair) => pair.trim()).filter((pair) => pair.startsWith(deviceCookiePrefix) && pair.includes('='));
  return new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
}
