import { dictionary } from '@zxcvbn-ts/language-common';
import { minPasswordLength, minStaffPasswordLength } from '../src/limits.ts';

/** The passwords that are refused, of those long enough to be accepted otherwise. */
const most = 10_000;

/** The most frequent passwords of the package's list, and all that staff could choose, in the order that compresses best. */
export function commonPasswordsFrom(): string[] {
  // The most frequent come first.
  const long = dictionary['passwords-common'].filter((password) => password.length >= minPasswordLength);
  return [...new Set([...long.slice(0, most), ...long.filter((password) => password.length >= minStaffPasswordLength)])].toSorted();
}
