import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';

/** Resolves a host name to IP addresses. @throws Error if there are none */
export type Resolve = (host: string) => Promise<readonly string[]>;

type LookUp = (host: string) => Promise<LookupAddress[]>;

/**
 * Looks each name up once at a time. Node runs few lookups in parallel, and one of an unknown name may take many
 * seconds: repeated lookups of such a name would block all others.
 */
export function shared(lookUp: LookUp): LookUp {
  const inFlight = new Map<string, Promise<LookupAddress[]>>();
  return (host) => {
    const found = inFlight.get(host) ?? lookUp(host).finally(() => inFlight.delete(host));
    inFlight.set(host, found);
    return found;
  };
}

/** Uses the system resolver, which includes `/etc/hosts` and the names of a container network. */
const lookUp = shared((host) => lookup(host, { all: true }));

/** The addresses of a host. */
export const resolveHost: Resolve = async (host) => (await lookUp(host)).map(({ address }) => address);

/** {@link resolveHost} as an agent's connections need it. */
export const lookUpHost: LookupFunction = (host, { all }, callback) => {
  const answer = async (): Promise<void> => {
    let found: LookupAddress[];
    try {
      found = await lookUp(host);
    } catch (error) {
      return callback(error as NodeJS.ErrnoException, '');
    }
    if (all) callback(null, found);
    else callback(null, found[0]?.address ?? '', found[0]?.family);
  };
  void answer();
};

/** Whether a URL's host is an IP address, so that there is nothing to resolve. */
export function isFixed(url: string): boolean {
  return isIP(new URL(url).hostname.replaceAll(/[[\]]/g, '')) !== 0;
}
