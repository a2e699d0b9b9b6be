import { passwordFault, passwordRule } from '@clinic/contracts/password-policy';
import type { Api } from '../api/api-client.ts';
import { ApiProblem } from '../api/api-problem.ts';
import { authCode } from './auth-code.ts';
import { reasonFor } from './auth-reasons.ts';
import type {
  ChooseGoogleAccount,
  IdentityProvider,
  MailedCode,
  OwnAccount,
  SignInMethod,
} from './identity-provider.ts';
import type { SessionStore } from './session-types.ts';

/** What people do with their own sign-in account. Actions that need it ask for password or Google first. */
export interface AccountActions {
  /**
   * Has the person sign in again, unless they have just done so.
   *
   * @returns how they can sign in; `undefined` if they cancelled
   */
  readonly confirmIdentity: () => Promise<readonly SignInMethod[] | undefined>;
  /**
   * Sends the confirmation mail for the address.
   *
   * @param continueTo - our address to which the confirmation page links
   * @returns false if the person cancelled
   */
  readonly sendConfirmation: (continueTo?: string) => Promise<boolean>;
  /** Changes or sets the password; all other sessions end. @returns false if the person cancelled */
  readonly changePassword: (password: string) => Promise<boolean>;
  /** Sends a link to the new address; nothing changes until it is opened. @returns false if the person cancelled */
  readonly changeEmail: (email: string) => Promise<boolean>;
  /** Links Google as a way to sign in; all other sessions end. @returns how they can sign in; `undefined` if they cancelled */
  readonly linkGoogle: (choose: ChooseGoogleAccount) => Promise<readonly SignInMethod[] | undefined>;
  /** @returns how they can sign in from now on; `undefined` if they cancelled */
  readonly unlinkGoogle: () => Promise<readonly SignInMethod[] | undefined>;
  /** What a code from a mail is for. @throws the identity provider's errors: expired, used or malformed codes */
  readonly readCode: (code: string) => Promise<MailedCode>;
  /** Confirms the address of the person who signs in with it. */
  readonly confirmEmail: (code: string, email: string, signIn: SignIn) => Promise<void>;
  /** Moves the account to its new address after its owner has signed in with the old one. */
  readonly confirmNewEmail: (
    code: string,
    emails: { readonly from: string; readonly to: string },
    signIn: SignIn,
  ) => Promise<void>;
  /** Restores the account's former address. */
  readonly recoverEmail: (code: string) => Promise<void>;
  /** Sets a new password and logs in with it; all other sessions end. */
  readonly resetPassword: (code: string, email: string, password: string) => Promise<void>;
  /** The password rule as a sentence. @param staff - whether the person works at the clinic */
  readonly passwordRule: (staff: boolean) => string;
  /**
   * Problem with this person's new password, as a sentence; `undefined` if it is fine. @param staff - whether they
   * work at the clinic
   */
  readonly passwordFault: (password: string, staff: boolean) => Promise<string | undefined>;
  /** Why an action failed, as a sentence for the person. */
  readonly reasonFor: (error: unknown) => string;
}

export type SignIn =
  | { readonly by: 'password'; readonly password: string }
  | { readonly by: 'google'; readonly choose: ChooseGoogleAccount };

/**
 * Milliseconds after a sign-in within which the identity provider and our server treat it as recent (5 minutes, minus time
 * to act).
 */
const freshFor = 240_000;

/** Codes that only occur here; the others are in `auth-reasons.ts`. */
const reasons: Readonly<Record<string, string>> = {
  'expired-action-code': 'This link has expired.',
  'invalid-action-code': 'This link is incomplete or has already been used.',
  'user-not-found': 'The account for this link no longer exists.',
  'email-already-in-use': 'This address can’t be used. It may belong to another account.',
  'credential-already-in-use': 'Another account already uses this Google account.',
  'provider-already-linked': 'Your account is already linked to a Google account.',
  'requires-recent-login': 'Log in again, then repeat this step.',
  'user-token-expired': 'Log in again.',
  'unauthorized-continue-uri': 'We couldn’t send the email: this website isn’t set up for it.',
};

/** @returns the actions for the person of `session` */
export function createAccountActions(session: SessionStore, api: Api): AccountActions {
  return {
    ...signInActions(session, api),
    ...mailedCodeActions(session),
    passwordRule: (staff) => passwordRule({ staff }),
    passwordFault: (password, staff) => passwordFault(password, { staff, email: ownEmail(session) }),

    reasonFor(error) {
      if (error instanceof ApiProblem) return error.message;
      const reason = reasons[authCode(error) ?? ''] ?? reasonFor(error);
      return reason.charAt(0).toUpperCase() + reason.slice(1);
    },
  };
}

function ownEmail(session: SessionStore): string {
  const email = session.get().user?.email;
  if (email === undefined) throw new Error('Nobody is logged in');
  return email;
}

/** Changes that the person makes while logged in. */
function signInActions(
  session: SessionStore,
  api: Api,
): Pick<
  AccountActions,
  'confirmIdentity' | 'sendConfirmation' | 'changePassword' | 'changeEmail' | 'linkGoogle' | 'unlinkGoogle'
> {
  async function signedIn(maxAge: number, kind: 'sign_in' | 'mail' = 'sign_in'): Promise<OwnAccount | undefined> {
    const email = ownEmail(session);
    const current = async (): Promise<OwnAccount | undefined> => {
      const account = (await session.openProvider()).current();
      return account?.email.toLowerCase() === email ? account : undefined;
    };
    const account = await current();
    if (account && Date.now() - account.signedInAt < maxAge) return account;
    const given = await session.checks.ask(kind, email, (answer) => session.identify(email, answer));
    return given && current();
  }

  return {
    async confirmIdentity() {
      return (await signedIn(freshFor))?.methods();
    },

    async sendConfirmation(continueTo) {
      const account = await signedIn(Infinity, 'mail');
      await account?.sendConfirmation(continueTo);
      return account !== undefined;
    },

    async changePassword(password) {
      const account = await signedIn(freshFor);
      if (!account) return false;
      await session.quietly(async () => {
        await account.changePassword(password);
        await session.openSession(account, { passwordChanged: true, renew: true, newPassword: password });
      });
      return true;
    },

    async changeEmail(email) {
      const account = await signedIn(freshFor);
      await account?.changeEmail(email);
      return account !== undefined;
    },

    async linkGoogle(choose) {
      const account = await signedIn(freshFor);
      if (!account) return undefined;
      return session.quietly(async () => {
        if (!(await account.linkGoogle(choose))) return undefined;
        await session.openSession(account, { renew: true });
        await endOtherSessions(session, api);
        return account.methods();
      });
    },

    async unlinkGoogle() {
      const account = await signedIn(freshFor);
      await account?.unlinkGoogle();
      return account?.methods();
    },
  };
}

/** What the links of our mails lead to. */
function mailedCodeActions(
  session: SessionStore,
): Pick<AccountActions, 'readCode' | 'confirmEmail' | 'confirmNewEmail' | 'recoverEmail' | 'resetPassword'> {
  // Each code works once: whoever tries again after a later step has failed goes on with that step.
  const used = new Set<string>();
  async function spendCode(code: string, spend: (provider: IdentityProvider) => Promise<void>): Promise<void> {
    if (used.has(code)) return;
    await spend(await session.openProvider());
    used.add(code);
  }

  return {
    readCode: async (code) => (await session.openProvider()).readCode(code),

    async confirmEmail(code, email, given) {
      const account = await session.identify(email, given);
      // A session of the same person shows our server that whoever registered also reads the mail, so the profile stays.
      if (!used.has(code) && session.get().user?.email !== email) await session.openSession(account);
      await spendCode(code, (provider) => provider.applyCode(code));
      await session.openSession(account, { renew: true });
    },

    async confirmNewEmail(code, { from, to }, given) {
      if (!used.has(code)) await session.identify(from, given);
      await spendCode(code, (provider) => provider.applyCode(code));
      // Changing the address invalidated the earlier sign-in.
      await session.openSession(await session.identify(to, given), { renew: true });
    },

    recoverEmail: (code) => spendCode(code, (provider) => provider.applyCode(code)),

    async resetPassword(code, email, password) {
      await spendCode(code, (provider) => provider.resetPassword(code, password));
      await session.openSession(await session.identify(email, { by: 'password', password }), { passwordChanged: true });
    },
  };
}

/** Ends all other sessions of the account. Services of this release have done so already; older ones leave it to us. */
async function endOtherSessions(session: SessionStore, api: Api): Promise<void> {
  const params = { email: ownEmail(session) };
  const others = (await api.call('listSessions', { params })).filter(({ current }) => !current);
  await Promise.all(others.map(({ _id }) => api.call('endOneSession', { params: { ...params, id: _id } })));
}
