import { lookup as lookUp } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { BlockList, isIPv4, isIPv6, type LookupFunction } from 'node:net';
import { rejected, type ProblemError } from '@clinic/service-kit';

/**
 * Rejects an address outside the public internet, which could make us call the clinic's own machines. A name may
 * resolve differently later, so each connection is checked again: see {@link publicLookup}.
 *
 * @throws ProblemError validation_failed
 */
export async function assertPublicAddress(url: string): Promise<void> {
  const { protocol } = new URL(url);
  if (protocol !== 'https:') throw invalid('The address must begin with https://');
  const found = await lookup(hostOf(url), { all: true }).catch(() => []);
  if (found.length === 0) throw invalid('We can’t find this address');
  if (!found.every(({ address }) => isPublic(address))) throw invalid('This address isn’t on the public internet');
}

/** The host of a URL: a name, or an IP address without brackets. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}

/** Resolves names for connections; fails for a name with any address that isn't public. IP addresses don't pass here. */
export const publicLookup: LookupFunction = (name, options, done) =>
  lookUp(name, { ...options, all: true }, (error, found) => {
    const [first] = found ?? [];
    if (error || !first) done(error ?? new Error(`${name} has no address`), '');
    else if (!found.every(({ address }) => isPublic(address))) done(new NotPublicError(name), '');
    else if (options.all) done(null, found);
    else done(null, first.address, first.family);
  });

export class NotPublicError extends Error {
  constructor(host: string) {
    super(`${host} isn’t on the public internet`);
  }
}

/** Special-purpose addresses of IPv4 (RFC 6890 and its registry), multicast included. */
const special4 = blockList('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

/** What is assigned of IPv6 for the internet. Loopback, mapped, NAT64, local and multicast addresses are outside it. */
const global6 = blockList('ipv6', ['2000::/3']);

/** Special-purpose addresses within that: Teredo and other protocols, documentation, 6to4. */
const special6 = blockList('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/** Whether an IP address is on the public internet. */
export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !special4.check(address);
  return isIPv6(address) && global6.check(address, 'ipv6') && !special6.check(address, 'ipv6');
}

function blockList(family: 'ipv4' | 'ipv6', networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

const invalid = (message: string): ProblemError => rejected('url', message, { detail: `${message}.` });
