import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostOf, isPublic } from './public-address.ts';

/** IPv4 addresses that aren't on the public internet. */
const local = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
];

/** The two last groups of an IPv6 address that holds an IPv4 address. */
function groupsOf(address: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

test('no spelling of a local IPv4 address is public', () => {
  for (const address of local) {
    const [a, b, c, d] = address.split('.').map(Number);
    const groups = groupsOf(address);
    const spellings = [
      address,
      // As in URLs: numbers, octal and hexadecimal, fewer parts.
      String(((a ?? 0) * 256 + (b ?? 0)) * 65_536 + (c ?? 0) * 256 + (d ?? 0)),
      `0x${(a ?? 0).toString(16)}.0${(b ?? 0).toString(8)}.${(c ?? 0) * 256 + (d ?? 0)}`,
      // Compatible, mapped, translated, NAT64 (well known and local), 6to4, Teredo, ISATAP.
      `[::${address}]`,
      `[::ffff:${address}]`,
      `[::ffff:0:${address}]`,
      `[64:ff9b::${address}]`,
      `[64:ff9b:1::${address}]`,
      `[2002:${groups}::]`,
      `[2001:0:${groups}::1]`,
      `[fe80::5efe:${address}]`,
    ];
    for (const spelling of spellings) assert.equal(isPublic(hostOf(`https://${spelling}/`)), false, spelling);
  }
});

test('loopback, link-local, unique local, multicast and reserved IPv6 addresses aren’t public; others are', () => {
  for (const address of ['::', '::1', 'fe80::1', 'fec0::1', 'fc00::1', 'fd12:3456::1', 'ff02::1', '100::1', '4000::1'])
    assert.equal(isPublic(address), false, address);
  for (const address of ['2001:db8::1', '2001:20::1', '3fff::1', '5f00::1', '127.0.0.1%eth0', 'localhost', ''])
    assert.equal(isPublic(address), false, address);
  for (const address of ['1.1.1.1', '172.32.0.1', '2606:4700::1111', '2a00:1450::1', '2001:4860:4860::8888'])
    assert.equal(isPublic(address), true, address);
});
