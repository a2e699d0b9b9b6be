import { isNobodysEmail } from '@clinic/contracts/erased-person';
import { withoutInvisible } from '@clinic/contracts/visible-text';
import { ProblemError, type IdToken } from '@clinic/service-kit';
import type { Credentials } from '../firebase/credentials-since.ts';

/** A verified Firebase account with an email. */
export type SignedInAccount = IdToken & { readonly email: string };

/** What somebody shows to get in: a verified ID token, and what is known about where it comes from. */
export interface AccountProof {
  readonly account: SignedInAccount;
  /** When Firebase last changed password or address, if it can be asked. */
  readonly credentials: Credentials;
  /** The browser says that the password was just changed or reset. */
  readonly passwordChanged: boolean;
  /** The browser's refresh id, which may belong to an open session. */
  readonly refreshId: string | undefined;
  /** Whether a Firebase account no longer exists, if that can be checked (emulator only). */
  readonly accountIsGone: (uid: string) => Promise<boolean>;
}

/** First and last name from a Google display name, which can be anything. */
export function namesOf({ name = '' }: Pick<IdToken, 'name'>): { firstName: string; lastName: string } {
  const printable = withoutInvisible(name)
    .trim()
    .slice(0, 200)
    .replaceAll(/\p{Cs}/gu, '')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');
  const [firstName = '', ...rest] = printable.trim().split(/\s+/);
  return { firstName, lastName: rest.join(' ') };
}

/** @throws ProblemError forbidden if the token isn't for that email */
export function accountFor(email: string, idToken: IdToken | undefined): SignedInAccount {
  if (!idToken) throw new ProblemError('unauthenticated');
  if (idToken.email !== email || isNobodysEmail(email))
    throw new ProblemError('forbidden', { detail: 'This isn’t the email address you logged in with.' });
  return { ...idToken, email };
}
