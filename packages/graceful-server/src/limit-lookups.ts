/** Seconds to wait for a DNS server, and how often to ask it: two seconds per server of resolv.conf(5) in all, instead of ten. */
const options = 'timeout:1 attempts:2';

/**
 * Limits how long the system's resolver (glibc) waits for a DNS server that doesn't answer. A lookup can't be cancelled, and
 * Node's exit waits for it: a program that looks a name up while it stops would outlast its stop's grace period, and be
 * killed. Call it before the first lookup. An operator's RES_OPTIONS stays.
 */
export function limitLookups(): void {
  process.env['RES_OPTIONS'] ??= options;
}
