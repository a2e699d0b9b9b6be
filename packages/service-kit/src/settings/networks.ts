import { BlockList, isIP } from 'node:net';
import { parsedBy, type Setting } from './setting-types.ts';

/** A list of networks in CIDR notation, e.g. `203.0.113.0/24,2001:db8::/48`; without a length, one address. */
export function networks(): Setting<BlockList> {
  return {
    expected: 'must be networks, separated by commas',
    example: '203.0.113.0/24,2001:db8:1::/48',
    default: new BlockList(),
    schema: parsedBy((text) => {
      const list = new BlockList();
      for (const part of text.split(',')) {
        const [address = '', length, ...more] = part.trim().split('/');
        const version = isIP(address);
        const most = version === 6 ? 128 : 32;
        const bits = length === undefined ? most : /^\d{1,3}$/.test(length) ? Number(length) : NaN;
        // All addresses at once would be a slip, which switches the limit off.
        if (version === 0 || more.length > 0 || !(bits >= 8 && bits <= most)) return undefined;
        list.addSubnet(address, bits, version === 6 ? 'ipv6' : 'ipv4');
      }
      return list;
    }),
  };
}

/** Whether an address belongs to one of these networks. @param address - as sockets and proxies write it */
export function isWithin(address: string, list: BlockList): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  const version = isIP(plain);
  return version !== 0 && list.check(plain, version === 6 ? 'ipv6' : 'ipv4');
}
