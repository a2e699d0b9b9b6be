import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Prefix of the cookies' names; the gateway forwards no other cookies to the emulator. */
export const deviceCookiePrefix = 'clinic_device_';

/** Cookie path: browsers send them to the sign-in only, not to pages or services. */
const path = '/identitytoolkit.googleapis.com';

/** A device is forgotten after half a year without a sign-in; in seconds. */
const lifetime = 15_552_000;

/** Maximum number of accounts per browser; beyond that, the least recent sign-in is dropped. */
const mostAccounts = 20;

/**
 * Remembers with a signed cookie that this browser has signed in to an account before. It grants no access: its
 * attempts are counted separately, so that strangers who guess passwords elsewhere can't lock the account's owner out.
 */
export class KnownDevices {
  readonly key: Buffer;

  /** @param key - signing key, 32 bytes; a different key makes all devices unknown */
  constructor(key: Buffer = randomBytes(32)) {
    this.key = key;
  }

  /**
   * @param cookies - the request's `Cookie` field
   * @returns the device's id, if it is known for this account
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
   * @param isSecure - whether the visitor uses https
   * @returns `Set-Cookie` fields: to set the one of this account, and to delete those that make room for it
   */
  remember(email: string, cookies: string | undefined, isSecure: boolean): string[] {
    const name = this.#nameFor(email);
    const id = this.find(email, cookies) ?? randomBytes(12).toString('base64url');
    const since = String(Date.now());
    const value = `${id}.${since}.${this.#sign(`${name} ${id} ${since}`).toString('base64url')}`;
    const attributes = `; Path=${path}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
    const others = [...deviceCookies(cookies)]
      .filter(([other]) => other !== name)
      .toSorted(([, a], [, b]) => sinceOf(b) - sinceOf(a));
    const surplus = others.slice(mostAccounts - 1);
    return [
      `${name}=${value}; Max-Age=${lifetime}${attributes}`,
      ...surplus.map(([other]) => `${other}=; Max-Age=0${attributes}`),
    ];
  }

  /** A keyed hash, so that a browser's cookies don't reveal which addresses have signed in. */
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
  const pairs = cookies
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(deviceCookiePrefix) && pair.includes('='));
  return new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
}
