import { initializeApp } from 'firebase/app';
import {
  browserPopupRedirectResolver, connectAuthEmulator, createUserWithEmailAndPassword, GoogleAuthProvider, initializeAuth,
  inMemoryPersistence, onAuthStateChanged, sendEmailVerification, sendPasswordResetEmail, signInWithCredential, signInWithEmailAndPassword,
  signInWithPopup, signOut, type User, type UserCredential,
} from 'firebase/auth';
import type { AppConfig } from './config.ts';
import type { IdentityAccount, IdentityProvider } from './identity-provider.ts';

/**
 * Firebase Auth, kept to the moment of signing in: nothing is stored in the browser, our own session takes over.
 * Imported lazily; the home page pays nothing for it.
 */
export function openFirebase(config: AppConfig): IdentityProvider {
  const app = initializeApp(config.firebase);
  // No popup resolver here: with one, Firebase loads Google's script at start on phones and can block for half a minute.
  const auth = initializeAuth(app, { persistence: inMemoryPersistence });
  if (config.emulator) connectAuthEmulator(auth, location.origin, { disableWarnings: true });

  return {
    onReport(listener) {
      onAuthStateChanged(auth, (user) => {
        if (user?.email) listener(accountOf(user, user.email));
      });
    },
    async createAccount(email, password) {
      const credential = await createUserWithEmailAndPassword(auth, email, password);
      // Nobody waits for the message: the account works without, until it is to be joined with a Google account.
      sendEmailVerification(credential.user).catch((error: unknown) => console.error('No confirmation message was sent', error));
      return signedIn(credential);
    },
    signIn: async (email, password) => signedIn(await signInWithEmailAndPassword(auth, email, password)),
    async signInWithGoogle(choose) {
      if (!config.emulator) return signedIn(await signInWithPopup(auth, new GoogleAuthProvider(), browserPopupRedirectResolver));
      // The emulator has no window of Google's to open: it takes what we say the account is.
      const account = await choose();
      if (!account) return undefined;
      const { email, name } = account;
      const claims = JSON.stringify({ sub: `google-${email.toLowerCase()}`, email, email_verified: true, name });
      return signedIn(await signInWithCredential(auth, GoogleAuthProvider.credential(claims)));
    },
    sendPasswordReset: (email) => sendPasswordResetEmail(auth, email),
    signOut: () => signOut(auth),
  };
}

function signedIn({ user }: UserCredential): IdentityAccount {
  if (!user.email) throw new Error('The identity provider named no e-mail address');
  return accountOf(user, user.email);
}

function accountOf(user: User, email: string): IdentityAccount {
  return { email, idToken: () => user.getIdToken() };
}
