/**
 * The network an address belongs to, for rate limits: the whole IPv4 address, or the first 64 bits of an IPv6 address,
 * because a household or a rented server has at least all addresses below them (RFC 6177).
 *
 * @param address - as sockets and proxies write it
 * @returns e.g. `203.0.113.7` or `2001:db8:1:2::/64`; anything that isn't an address unchanged
 */
export function networkOf(address: string): string {
  const plain = address
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .replace(/%.*$/, '')
    .toLowerCase();
  const [head = '', tail, ...more] = plain.split('::');
  if (!plain.includes(':') || !/^[\da-f:.]+$/.test(plain) || more.length > 0) return plain;
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  // A trailing IPv4 address stands for two groups.
  const given = before.length + after.length + (plain.includes('.') ? 1 : 0);
  if (given > 8 || (tail === undefined && given < 8)) return plain;
  const groups = [...before, ...Array.from({ length: 8 - given }, () => '0'), ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
