import { minStaffPasswordLength } from '@clinic/contracts';
import { localProblem } from '../api/api-problem.ts';
import { newId } from '../api/new-id.ts';
import { authCode } from './auth-code.ts';
import type { IdentityAnswer } from './identity-check.ts';
import type { IdentityAccount, IdentityProvider } from './identity-provider.ts';

export type ProviderAccess = ReturnType<typeof createProviderAccess>;

/**
 * The way to the identity provider, which is loaded when first needed.
 *
 * @param onReport - called for each sign-in that no action here follows up
 */
export function createProviderAccess(
  loadProvider: () => Promise<IdentityProvider>,
  onReport: (account: IdentityAccount) => void,
) {
  let provider: Promise<IdentityProvider> | undefined;
  // Sign-ins that another action follows up.
  let quiet = 0;
  // Of the password last used here. Only the browser sees passwords; our server requires longer ones for staff.
  let longPassword = false;

  function open(): Promise<IdentityProvider> {
    provider ??= loadProvider().then((opened) => {
      opened.onReport((account) => {
        if (quiet === 0) onReport(account);
      });
      return opened;
    });
    provider.catch(() => {
      // The next attempt loads it again.
      provider = undefined;
    });
    return provider;
  }

  function noteLength(password: string): void {
    longPassword = Array.from(password).length >= minStaffPasswordLength;
  }

  return {
    open,
    noteLength,
    hasLongPassword: () => longPassword,

    quietly: async <T>(work: () => Promise<T>): Promise<T> => {
      quiet += 1;
      try {
        return await work();
      } finally {
        // The provider's auth state report follows its response within the same task.
        setTimeout(() => {
          quiet -= 1;
        });
      }
    },

    /** Our session ends even if the provider keeps the user, whom it only holds in memory. */
    signOut: (): void => {
      provider
        ?.then((opened) => opened.signOut())
        .catch((error: unknown) => console.error('The identity provider could not sign the user out', error));
    },
  };
}

/** Has the person sign in at the identity provider as `email`. @throws ApiProblem if they chose no account or another one */
export async function signInAs(
  { open, noteLength }: ProviderAccess,
  email: string,
  given: IdentityAnswer,
): Promise<IdentityAccount> {
  if (given.by === 'code') throw new Error('The identity provider knows no codes');
  const opened = await open();
  if (given.by === 'password') noteLength(given.password);
  const account =
    given.by === 'password'
      ? await opened.signIn(email, given.password)
      : await opened.signInWithGoogle(given.choose, email);
  if (!account) throw localProblem('forbidden', 'No Google account was chosen.', newId());
  if (account.email.toLowerCase() === email.toLowerCase()) return account;
  await opened.signOut();
  throw localProblem('forbidden', `That’s a different account. Choose ${email}.`, newId());
}

/**
 * Creates the account, or finds the one that an earlier attempt created before the profile could be saved: whoever knows its
 * password may continue.
 */
export async function createOrResume(
  provider: IdentityProvider,
  email: string,
  password: string,
  continueTo: string | undefined,
): Promise<IdentityAccount> {
  try {
    return await provider.createAccount(email, password, continueTo);
  } catch (error) {
    if (authCode(error) !== 'email-already-in-use') throw error;
    return await provider.signIn(email, password).catch(() => {
      throw error;
    });
  }
}
