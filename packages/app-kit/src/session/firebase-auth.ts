import { initializeApp } from 'firebase/app';
import {
  ActionCodeOperation,
  applyActionCode,
  browserPopupRedirectResolver,
  checkActionCode,
  confirmPasswordReset,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  GoogleAuthProvider,
  initializeAuth,
  inMemoryPersistence,
  linkWithCredential,
  linkWithPopup,
  onAuthStateChanged,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithCredential,
  signInWithEmailAndPassword,
  signInWithPopup,
  signOut,
  unlink,
  updatePassword,
  verifyBeforeUpdateEmail,
  type OAuthCredential,
  type User,
  type UserCredential,
} from 'firebase/auth';
import { typedAddress } from '@clinic/contracts/typed-address';
import type { AppConfig } from '../host/config.ts';
import type {
  ChooseGoogleAccount,
  IdentityAccount,
  IdentityProvider,
  MailedCode,
  OwnAccount,
  SignInMethod,
} from './identity-provider.ts';

const methods: Readonly<Record<string, SignInMethod>> = { password: 'password', 'google.com': 'google' };

const modes: Readonly<Record<string, MailedCode['mode']>> = {
  [ActionCodeOperation.VERIFY_EMAIL]: 'verifyEmail',
  [ActionCodeOperation.PASSWORD_RESET]: 'resetPassword',
  [ActionCodeOperation.VERIFY_AND_CHANGE_EMAIL]: 'verifyAndChangeEmail',
  [ActionCodeOperation.RECOVER_EMAIL]: 'recoverEmail',
};

/**
 * Firebase Auth, used for signing in only: it stores nothing in the browser, and our own session takes over. Loaded lazily,
 * so the home page doesn't pay for it.
 */
export function openFirebase(config: AppConfig): IdentityProvider {
  const app = initializeApp(config.firebase);
  // No popup resolver here: with one, Firebase loads Google's script at startup on phones and can block for half a minute.
  const auth = initializeAuth(app, { persistence: inMemoryPersistence });
  if (config.emulator) connectAuthEmulator(auth, location.origin, { disableWarnings: true });

  let signedInAt = 0;

  function signedIn({ user }: UserCredential): IdentityAccount {
    if (!user.email) throw new Error('The identity provider named no email address');
    signedInAt = Date.now();
    return accountOf(user, user.email);
  }

  return {
    onReport(listener) {
      onAuthStateChanged(auth, (user) => {
        if (user?.email) listener(accountOf(user, user.email));
      });
    },
    async createAccount(email, password, continueTo) {
      const credential = await createUserWithEmailAndPassword(auth, typedAddress(email), password);
      // Nobody waits for the mail: it can be sent again.
      sendEmailVerification(credential.user, continueTo === undefined ? null : { url: continueTo }).catch(
        (error: unknown) => console.error('No confirmation message was sent', error),
      );
      return signedIn(credential);
    },
    signIn: async (email, password) => signedIn(await signInWithEmailAndPassword(auth, typedAddress(email), password)),
    async signInWithGoogle(choose, hint) {
      if (config.emulator) {
        const credential = await emulatedGoogle(choose);
        return credential && signedIn(await signInWithCredential(auth, credential));
      }
      const google = new GoogleAuthProvider();
      if (hint !== undefined) google.setCustomParameters({ login_hint: hint });
      return signedIn(await signInWithPopup(auth, google, browserPopupRedirectResolver));
    },
    sendPasswordReset: (email) => sendPasswordResetEmail(auth, typedAddress(email)),
    signOut: () => signOut(auth),
    current() {
      const user = auth.currentUser;
      return user?.email ? ownAccount(user, user.email, signedInAt, Boolean(config.emulator)) : undefined;
    },
    async readCode(code) {
      const { operation, data } = await checkActionCode(auth, code);
      const mode = modes[operation];
      if (!mode || !data.email) throw new Error(`No page for a mail of the kind ${operation}`);
      return { mode, email: data.email, previousEmail: data.previousEmail ?? undefined };
    },
    applyCode: (code) => applyActionCode(auth, code),
    resetPassword: (code, password) => confirmPasswordReset(auth, code, password),
  };
}

function accountOf(user: User, email: string): IdentityAccount {
  return { email, idToken: (renew) => user.getIdToken(renew) };
}

function ownAccount(user: User, email: string, signedInAt: number, isEmulated: boolean): OwnAccount {
  return {
    ...accountOf(user, email),
    signedInAt,
    methods: () => user.providerData.flatMap(({ providerId }) => methods[providerId] ?? []),
    sendConfirmation: (continueTo) =>
      sendEmailVerification(user, continueTo === undefined ? null : { url: continueTo }),
    changePassword: (password) => updatePassword(user, password),
    changeEmail: (next) => verifyBeforeUpdateEmail(user, typedAddress(next)),
    async linkGoogle(choose) {
      if (!isEmulated) {
        await linkWithPopup(user, new GoogleAuthProvider(), browserPopupRedirectResolver);
        return true;
      }
      const credential = await emulatedGoogle(choose);
      if (!credential) return false;
      await linkWithCredential(user, credential);
      return true;
    },
    async unlinkGoogle() {
      await unlink(user, 'google.com');
    },
  };
}

/** The emulator has no Google window: it accepts the account we name. */
async function emulatedGoogle(choose: ChooseGoogleAccount): Promise<OAuthCredential | undefined> {
  const account = await choose();
  if (!account) return undefined;
  const { email, name } = account;
  return GoogleAuthProvider.credential(
    JSON.stringify({ sub: `google-${email.toLowerCase()}`, email, email_verified: true, name }),
  );
}
