import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/** Finds the addresses of a host name, as the machine knows them. @throws Error when it knows none */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Asks the machine's resolver: also `/etc/hosts`, and the names that a container network gives. */
export const resolveHost: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

/** Whether a URL names its server by an address, so that there is nothing to be resolved. */
export function isFixed(url: string): boolean {
  return isIP(new URL(url).hostname.replaceAll(/[[\]]/g, '')) !== 0;
}
