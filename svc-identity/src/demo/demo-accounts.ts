import { setTimeout as delay } from 'node:timers/promises';
import type { UserRecord as FirebaseUser } from 'firebase-admin/auth';
import { demoPassword, demoUsers, type DemoUser } from '@clinic/demo-data';
import { firebaseCode, type Firebase } from '../firebase/firebase-app.ts';
import { noteAccount } from '../account-feed/account-feed.ts';
import type { IdentityContext } from '../settings.ts';
import { usersOf } from '../users/user-record.ts';

/** Milliseconds that the start waits for the emulator before it goes on and creates the accounts in the background. */
const waitAtStart = 10_000;

/**
 * Makes sure that the demo users can sign in: creates missing accounts in the emulator and links them to the users in the
 * database, whichever of the two has lost its data. Only ever with the emulator: a real project must not get accounts with
 * public passwords.
 */
export async function keepDemoAccounts(context: IdentityContext, firebase: Firebase): Promise<void> {
  if (!firebase.emulated) return;
  await Promise.race([untilDone(context, firebase), delay(waitAtStart, undefined, { ref: false })]);
}

async function untilDone(context: IdentityContext, firebase: Firebase): Promise<void> {
  for (let tries = 1; !context.stopping.aborted; tries += 1) {
    try {
      for (const user of demoUsers) await linkAccount(context, await accountOf(firebase, user));
      context.log.info({ accounts: demoUsers.length, tries }, 'demo accounts are ready');
      return;
    } catch (error) {
      if (tries % 10 === 1)
        context.log.warn({ tries, reason: (error as Error).message }, 'creating demo accounts failed, will retry');
      await delay(1_000, undefined, { signal: context.stopping }).catch(() => undefined);
    }
  }
}

async function accountOf(
  { auth }: Firebase,
  { email, firstName, lastName, emailVerified }: DemoUser,
): Promise<FirebaseUser> {
  try {
    const account = await auth.getUserByEmail(email);
    // A Google sign-in to an unverified account would remove its password.
    return account.emailVerified ? account : await auth.updateUser(account.uid, { emailVerified });
  } catch (error) {
    if (firebaseCode(error) !== 'auth/user-not-found') throw error;
  }
  try {
    return await auth.createUser({
      email,
      emailVerified,
      password: demoPassword,
      displayName: `${firstName} ${lastName}`,
    });
  } catch (error) {
    // Another replica was faster.
    if (firebaseCode(error) === 'auth/email-already-exists') return auth.getUserByEmail(email);
    throw error;
  }
}

async function linkAccount(context: IdentityContext, { uid, email = '' }: FirebaseUser): Promise<void> {
  await context.inTransaction(async (session) => {
    const user = await usersOf(context).findOneAndUpdate(
      { email: email.toLowerCase(), uid: { $ne: uid } },
      { $set: { uid, emailVerified: true } },
      { session },
    );
    if (user) await noteAccount(context, session, user._id);
  });
}
