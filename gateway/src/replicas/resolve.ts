import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/** Resolves a host name to IP addresses. @throws Error if there are none */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Uses the system resolver, which includes `/etc/hosts` and the names of a container network. */
export const resolveHost: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

/** Whether a URL's host is an IP address, so that there is nothing to resolve. */
export function isFixed(url: string): boolean {
  return isIP(new URL(url).hostname.replaceAll(/[[\]]/g, '')) !== 0;
}
