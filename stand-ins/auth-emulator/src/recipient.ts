import type { OutOfBandCode } from './firebase-internals.ts';

/** Recipient of the mail with a code. */
export function recipientOf({ requestType, email, newEmail }: OutOfBandCode): string {
  return requestType === 'VERIFY_AND_CHANGE_EMAIL' && newEmail !== undefined ? newEmail : email;
}
