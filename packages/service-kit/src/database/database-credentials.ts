import type { Auth } from 'mongodb';
import { SettingsError, type BaseSettings } from '../settings/settings.ts';

/** Prefix of every demo secret: they are public, since they are in this repository. */
export const demoMark = 'demo-only';

/**
 * The database account of a service, if MONGODB_URI doesn't name one.
 *
 * @throws SettingsError if only one of user and password is set, or the password is the demo's outside demo mode
 */
export function databaseCredentials({
  MONGODB_URI,
  MONGODB_USER,
  MONGODB_PASSWORD,
  DEMO_MODE,
}: BaseSettings): Auth | undefined {
  if (!DEMO_MODE && [MONGODB_URI, MONGODB_PASSWORD].some((text) => text?.includes(demoMark))) {
    throw new SettingsError(
      'MONGODB_PASSWORD is the demo password, which everyone can read: outside demo mode it must be your own, for example MONGODB_PASSWORD_FILE=/run/secrets/mongo-clinic (docker/make-secrets.sh makes them all)',
    );
  }
  if (MONGODB_USER === undefined && MONGODB_PASSWORD === undefined) return undefined;
  if (MONGODB_USER === undefined)
    throw new SettingsError(
      'MONGODB_USER is not set, but MONGODB_PASSWORD is: it must be the name of the database user, for example MONGODB_USER=clinic',
    );
  if (MONGODB_PASSWORD === undefined)
    throw new SettingsError(
      'MONGODB_PASSWORD is not set, but MONGODB_USER is: it must be its password, for example MONGODB_PASSWORD_FILE=/run/secrets/mongo-clinic',
    );
  return { username: MONGODB_USER, password: MONGODB_PASSWORD };
}
