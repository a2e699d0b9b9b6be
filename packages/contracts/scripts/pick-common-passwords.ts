import { dictionary } from '@zxcvbn-ts/language-common';
import { minPasswordLength, minStaffPasswordLength } from '../src/limits.ts';

/** Most rejected passwords that are long enough to be accepted otherwise. */
const most = 10_000;

/**
 * The most frequent passwords of the package's list, plus all of its passwords that are long enough for staff, sorted to
 * compress best.
 */
export function commonPasswordsFrom(): string[] {
  // Most frequent first.
  const long = dictionary['passwords-common'].filter((password) => password.length >= minPasswordLength);
  return [
    ...new Set([...long.slice(0, most), ...long.filter((password) => password.length >= minStaffPasswordLength)]),
  ].toSorted();
}
