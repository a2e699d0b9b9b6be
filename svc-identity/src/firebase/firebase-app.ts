import { randomUUID } from 'node:crypto';
import { cert, deleteApp, initializeApp, type Credential } from 'firebase-admin/app';
import { getAuth, type Auth } from 'firebase-admin/auth';
import { SettingsError } from '@clinic/service-kit';
import type { IdentityContext } from '../settings.ts';

/** Firebase as this service uses it. */
export interface Firebase {
  readonly auth: Auth;
  /** The emulator is in use: its tokens are unsigned and prove nothing. */
  readonly emulated: boolean;
  /** Whether we may manage its accounts: always in the emulator, in a real project with a service account. */
  readonly mayDelete: boolean;
}

/**
 * Opens the Firebase project of the settings.
 *
 * @throws SettingsError if the emulator is configured in production outside demo mode
 */
export function openFirebase(context: IdentityContext): Firebase {
  const {
    FIREBASE_AUTH_EMULATOR_HOST: emulator,
    FIREBASE_PROJECT_ID: projectId,
    FIREBASE_SERVICE_ACCOUNT_FILE: serviceAccount,
    NODE_ENV,
    DEMO_MODE,
  } = context.settings;
  if (emulator !== undefined && NODE_ENV === 'production' && !DEMO_MODE) {
    throw new SettingsError(
      'FIREBASE_AUTH_EMULATOR_HOST is wrong: in production it must be unset, for example with NODE_ENV=production and no emulator, or DEMO_MODE=true for a demo',
    );
  }
  // firebase-admin reads these two only from process.env. Detecting Google's metadata server would just cost time.
  process.env['METADATA_SERVER_DETECTION'] ??= 'none';
  if (emulator === undefined) delete process.env['FIREBASE_AUTH_EMULATOR_HOST'];
  else process.env['FIREBASE_AUTH_EMULATOR_HOST'] = emulator;

  const app = initializeApp(
    { projectId, ...(serviceAccount !== undefined && { credential: credentialFrom(serviceAccount) }) },
    randomUUID(),
  );
  context.stopping.addEventListener('abort', () => {
    deleteApp(app).catch((error: unknown) => context.log.warn({ reason: String(error) }, 'closing Firebase failed'));
  });
  return {
    auth: getAuth(app),
    emulated: emulator !== undefined,
    mayDelete: emulator !== undefined || serviceAccount !== undefined,
  };
}

function credentialFrom(file: string): Credential {
  try {
    return cert(file);
  } catch (error) {
    throw new SettingsError(
      `FIREBASE_SERVICE_ACCOUNT_FILE is wrong: it must be the path of a service account's key as Firebase gives it, for example /run/secrets/firebase.json (${(error as Error).message})`,
    );
  }
}

/** The stable code of a Firebase error, e.g. `auth/user-not-found`. */
export function firebaseCode(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as Error & { readonly code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : undefined;
}
