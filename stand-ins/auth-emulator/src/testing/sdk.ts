import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deleteApp as deleteAdminApp, initializeApp as initializeAdminApp } from 'firebase-admin/app';
import { getAuth as getAdminAuth } from 'firebase-admin/auth';
import { deleteApp, initializeApp, type FirebaseApp } from 'firebase/app';
import {
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  GoogleAuthProvider,
  initializeAuth,
  inMemoryPersistence,
  signInWithCredential,
  signInWithEmailAndPassword,
  type Auth,
  type UserCredential,
} from 'firebase/auth';
import { startAuthEmulator } from '../index.ts';

/** Of people who sign up in tests. */
export const password = 'correct horse';

/** Firebase's own SDKs, and an emulator for them that keeps its accounts in a file. Close it in `after`. */
export async function startSdk(projectId: string) {
  const folder = await mkdtemp(join(tmpdir(), 'auth-emulator-'));
  const dataFile = join(folder, 'accounts.json');
  let emulator = await startAuthEmulator({ port: 0, projectId, dataFile });
  const { url, port } = emulator;
  process.env['FIREBASE_AUTH_EMULATOR_HOST'] = new URL(url).host;
  const adminApp = initializeAdminApp({ projectId });
  const clients: FirebaseApp[] = [];

  /** A fresh SDK, as in a new browser. */
  function newClient(): Auth {
    const app = initializeApp({ apiKey: 'any', projectId }, crypto.randomUUID());
    clients.push(app);
    const auth = initializeAuth(app, { persistence: inMemoryPersistence });
    connectAuthEmulator(auth, url, { disableWarnings: true });
    return auth;
  }

  return {
    url,
    dataFile,
    admin: getAdminAuth(adminApp),
    newClient,
    signUp: (email: string): Promise<UserCredential> => createUserWithEmailAndPassword(newClient(), email, password),
    signIn: (email: string, secret = password): Promise<UserCredential> =>
      signInWithEmailAndPassword(newClient(), email, secret),
    signInWithGoogle: (sub: string, email: string): Promise<UserCredential> => {
      const claims = { sub, email, email_verified: true, name: 'Ada' };
      return signInWithCredential(newClient(), GoogleAuthProvider.credential(JSON.stringify(claims)));
    },
    async restart(): Promise<void> {
      await emulator.close();
      emulator = await startAuthEmulator({ port, projectId, dataFile });
    },
    async close(): Promise<void> {
      await Promise.all(clients.map(deleteApp));
      await deleteAdminApp(adminApp);
      await emulator.close();
      await rm(folder, { recursive: true });
    },
  };
}
