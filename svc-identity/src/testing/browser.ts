import { audiencesHeader } from '@clinic/service-kit';
import { testFetch, type TestFetch } from '@clinic/service-kit/testing';

/** A minimal browser for tests, as if behind a gateway: keeps cookies between requests. */
export interface Browser {
  readonly fetch: TestFetch;
  /** Cookies by name. */
  readonly cookies: Map<string, string>;
  /** `Set-Cookie` headers of the last response that had any. */
  setCookies(): readonly string[];
  /** The body of the response to a GET. */
  read<Body>(path: string): Promise<Body>;
  /** @param more - further fields of the body @param headers - besides the ID token's */
  startSession(
    email: string,
    idToken: string,
    more?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
  register(
    email: string,
    changes?: { readonly idToken?: string; readonly firstName?: string; readonly dateOfBirth?: string },
  ): Promise<Response>;
}

/** Fields of a registration form. */
export const profile = { firstName: 'Ann', lastName: 'Lee', phone: '+880 1555 010101', dateOfBirth: '1990-02-03' };

/** @param given - the cookies of another browser; by default it has none */
export function openBrowser(url: string, given: Iterable<readonly [string, string]> = []): Browser {
  const cookies = new Map(given);
  let lines: readonly string[] = [];
  const send: TestFetch = async (path, init = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await testFetch(url, {
      [audiencesHeader]: 'identity,clinic,pharmacy',
      ...(cookie !== '' && { Cookie: cookie }),
    })(path, init);
    const set = answer.headers.getSetCookie();
    if (set.length > 0) lines = set;
    for (const line of set) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const expires = /Expires=([^;]+)/i.exec(line)?.[1];
      if (value === '' || (expires !== undefined && Date.parse(expires) < Date.now())) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  return {
    fetch: send,
    cookies,
    setCookies: () => lines,
    read: async <Body>(path: string) => (await (await send(path)).json()) as Body,
    startSession: (email, idToken, more, headers) =>
      send('/jwt', {
        method: 'POST',
        json: { email, ...more },
        headers: { Authorization: `Bearer ${idToken}`, ...headers },
      }),
    register: (email, { idToken, ...changes } = {}) =>
      send('/users', {
        method: 'POST',
        json: { ...profile, ...changes, email, password: 'Correct-horse-1', role: 'admin' },
        ...(idToken !== undefined && { headers: { Authorization: `Bearer ${idToken}` } }),
      }),
  };
}
