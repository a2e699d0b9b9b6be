import { randomUUID } from 'node:crypto';
import { deleteApp, initializeApp } from 'firebase-admin/app';
import { getAuth, type Auth } from 'firebase-admin/auth';
import { SettingsError } from '@clinic/service-kit';
import type { IdentityContext } from '../settings.ts';

/** Firebase as this service uses it. */
export interface Firebase {
  readonly auth: Auth;
  /** The emulator is in use: its tokens are unsigned and prove nothing. */
  readonly emulated: boolean;
}

/**
 * Opens Firebase for the project of the settings.
 *
 * @throws SettingsError when the emulator is asked for in production outside demo mode
 */
export function openFirebase(context: IdentityContext): Firebase {
  const { FIREBASE_AUTH_EMULATOR_HOST: emulator, FIREBASE_PROJECT_ID: projectId, NODE_ENV, DEMO_MODE } = context.settings;
  if (emulator !== undefined && NODE_ENV === 'production' && !DEMO_MODE) {
    throw new SettingsError('FIREBASE_AUTH_EMULATOR_HOST is wrong: in production it must be unset, for example with NODE_ENV=production and no emulator, or DEMO_MODE=true for a demo');
  }
  // firebase-admin reads these two from the process alone. Looking for Google's metadata server would only cost time.
  process.env['METADATA_SERVER_DETECTION'] ??= 'none';
  if (emulator === undefined) delete process.env['FIREBASE_AUTH_EMULATOR_HOST'];
  else process.env['FIREBASE_AUTH_EMULATOR_HOST'] = emulator;

  const app = initializeApp({ projectId }, randomUUID());
  context.stopping.addEventListener('abort', () => {
    deleteApp(app).catch((error: unknown) => context.log.warn({ reason: String(error) }, 'Firebase could not be closed'));
  });
  return { auth: getAuth(app), emulated: emulator !== undefined };
}

/** The stable code of a Firebase error, e.g. `auth/user-not-found`. */
export function firebaseCode(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as Error & { readonly code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : undefined;
}
