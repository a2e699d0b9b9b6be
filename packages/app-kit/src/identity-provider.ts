/** Someone the identity provider knows, as far as our server needs to be told. */
export interface IdentityAccount {
  readonly email: string;
  /**
   * A short-lived proof for our server.
   *
   * @param renew - asks for a new one, which tells of what changed since the sign-in
   */
  idToken(renew?: boolean): Promise<string>;
}

/** How somebody can sign in. */
export type SignInMethod = 'password' | 'google';

/** The account that has just signed in: it may change itself. */
export interface OwnAccount extends IdentityAccount {
  /** When it signed in, milliseconds since 1970. */
  readonly signedInAt: number;
  methods(): readonly SignInMethod[];
  /**
   * Sends the mail that confirms the address.
   *
   * @param continueTo - address of ours that the confirmation page leads on to
   */
  sendConfirmation(continueTo?: string): Promise<void>;
  changePassword(password: string): Promise<void>;
  /** Sends a link to the new address. Once it is opened the account has that address, and the old one is told. */
  changeEmail(email: string): Promise<void>;
  /** @returns false when no account was chosen */
  linkGoogle(choose: ChooseGoogleAccount): Promise<boolean>;
  unlinkGoogle(): Promise<void>;
}

/** What a link in one of the identity provider's mails is for. */
export interface MailedCode {
  readonly mode: 'verifyEmail' | 'resetPassword' | 'verifyAndChangeEmail' | 'recoverEmail';
  /** The address that the account has once the code is used. */
  readonly email: string;
  /** The one it has until then, where the code changes it. */
  readonly previousEmail: string | undefined;
}

/** A Google account chosen in the emulator's place of Google's own window. */
export interface GoogleAccount {
  readonly email: string;
  readonly name: string;
}

/** Asks the visitor for a Google account; `undefined` when they change their mind. Only used with the emulator. */
export type ChooseGoogleAccount = () => Promise<GoogleAccount | undefined>;

/** What the session needs of the identity provider. The real one is a lazy chunk (`firebase-auth.ts`). */
export interface IdentityProvider {
  /** Called each time the auth state reports a user with an e-mail. */
  onReport(listener: (account: IdentityAccount) => void): void;
  /** @param continueTo - as in {@link OwnAccount.sendConfirmation} */
  createAccount(email: string, password: string, continueTo?: string): Promise<IdentityAccount>;
  signIn(email: string, password: string): Promise<IdentityAccount>;
  /**
   * @param hint - the address that is expected, for Google's own window
   * @returns nothing when the visitor chose no account
   */
  signInWithGoogle(choose: ChooseGoogleAccount, hint?: string): Promise<IdentityAccount | undefined>;
  sendPasswordReset(email: string): Promise<void>;
  signOut(): Promise<void>;
  /** Who signed in since the page was loaded, if anybody. */
  current(): OwnAccount | undefined;
  /** What a code from a mail is for; it stays usable. */
  readCode(code: string): Promise<MailedCode>;
  applyCode(code: string): Promise<void>;
  /** Sets a new password with a code of the mode `resetPassword`. */
  resetPassword(code: string, password: string): Promise<void>;
}
