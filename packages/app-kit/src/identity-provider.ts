/** Someone the identity provider knows, as far as our server needs to be told. */
export interface IdentityAccount {
  readonly email: string;
  /** A short-lived proof for our server. */
  idToken(): Promise<string>;
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
  createAccount(email: string, password: string): Promise<IdentityAccount>;
  signIn(email: string, password: string): Promise<IdentityAccount>;
  /** @returns nothing when the visitor chose no account */
  signInWithGoogle(choose: ChooseGoogleAccount): Promise<IdentityAccount | undefined>;
  sendPasswordReset(email: string): Promise<void>;
  signOut(): Promise<void>;
}
