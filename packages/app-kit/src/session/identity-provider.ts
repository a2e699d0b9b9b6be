/** A signed-in account of the identity provider, as far as our server needs it. */
export interface IdentityAccount {
  readonly email: string;
  /**
   * A short-lived proof for our server.
   *
   * @param renew - request a new one, which includes what changed since the sign-in
   */
  idToken(renew?: boolean): Promise<string>;
}

/** The ways in which somebody can sign in. */
export type SignInMethod = 'password' | 'google';

/** The account that has just signed in: it may change itself. */
export interface OwnAccount extends IdentityAccount {
  /** When it signed in, milliseconds since 1970. */
  readonly signedInAt: number;
  methods(): readonly SignInMethod[];
  /**
   * Sends the confirmation mail for the address.
   *
   * @param continueTo - our address to which the confirmation page links
   */
  sendConfirmation(continueTo?: string): Promise<void>;
  changePassword(password: string): Promise<void>;
  /** Sends a link to the new address. When it is opened, the account gets that address and the old one is notified. */
  changeEmail(email: string): Promise<void>;
  /** @returns false if no account was chosen */
  linkGoogle(choose: ChooseGoogleAccount): Promise<boolean>;
  unlinkGoogle(): Promise<void>;
}

/** What a link in one of the identity provider's mails does. */
export interface MailedCode {
  readonly mode: 'verifyEmail' | 'resetPassword' | 'verifyAndChangeEmail' | 'recoverEmail';
  /** The account's address after the code is used. */
  readonly email: string;
  /** Its address until then, if the code changes it. */
  readonly previousEmail: string | undefined;
}

/** A Google account chosen in our replacement for Google's window, with the emulator. */
export interface GoogleAccount {
  readonly email: string;
  readonly name: string;
}

/** Asks the visitor for a Google account; `undefined` if they cancel. Only used with the emulator. */
export type ChooseGoogleAccount = () => Promise<GoogleAccount | undefined>;

/** What the session needs from the identity provider. The real one is a lazy chunk (`firebase-auth.ts`). */
export interface IdentityProvider {
  /** Called whenever the auth state reports a user with an email address. */
  onReport(listener: (account: IdentityAccount) => void): void;
  /** @param continueTo - as in {@link OwnAccount.sendConfirmation} */
  createAccount(email: string, password: string, continueTo?: string): Promise<IdentityAccount>;
  signIn(email: string, password: string): Promise<IdentityAccount>;
  /**
   * @param hint - the expected address, for Google's window
   * @returns `undefined` if the visitor chose no account
   */
  signInWithGoogle(choose: ChooseGoogleAccount, hint?: string): Promise<IdentityAccount | undefined>;
  sendPasswordReset(email: string): Promise<void>;
  signOut(): Promise<void>;
  /** Who has signed in since the page was loaded, if anybody. */
  current(): OwnAccount | undefined;
  /** What a code from a mail is for; doesn't use it up. */
  readCode(code: string): Promise<MailedCode>;
  applyCode(code: string): Promise<void>;
  /** Sets a new password with a code of mode `resetPassword`. */
  resetPassword(code: string, password: string): Promise<void>;
}
