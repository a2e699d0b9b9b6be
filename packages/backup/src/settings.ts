import { readFileSync } from 'node:fs';
import { BackupError } from './errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the databases and the accounts are. */
export interface Settings {
  readonly uri: string;
  readonly auth?: { readonly username: string; readonly password: string };
  /** The folder of the Auth emulator's accounts; only a demo has one. */
  readonly accountsDir?: string;
}

/** Every secret of the demo begins like this. */
const demoMark = 'demo-only';

/**
 * Reads the settings, which are those of the services.
 *
 * @throws BackupError of one line that names the variable, what it must be, and an example; it never shows a value
 */
export function readSettings(env: Environment): Settings {
  const uri = env['MONGODB_URI']?.trim() ?? '';
  if (!/^mongodb(?:\+srv)?:\/\/./.test(uri)) {
    throw new BackupError(`MONGODB_URI ${uri === '' ? 'is not set' : 'is wrong'}: it must be the address of a MongoDB server, for example MONGODB_URI=mongodb://127.0.0.1:27017/?replicaSet=rs0`);
  }
  const username = env['MONGODB_USER'] || undefined;
  const password = (env['MONGODB_PASSWORD'] || passwordFile(env))?.trim() || undefined;
  if (username === undefined && password !== undefined) throw new BackupError('MONGODB_USER is not set, but MONGODB_PASSWORD is: it must be the name of the database user, for example MONGODB_USER=backup');
  if (username !== undefined && password === undefined) throw new BackupError('MONGODB_PASSWORD is not set, but MONGODB_USER is: it must be its password, for example MONGODB_PASSWORD_FILE=/run/secrets/mongo-backup');
  if (env['DEMO_MODE'] !== 'true' && [uri, password].some((text) => text?.includes(demoMark))) {
    throw new BackupError("MONGODB_PASSWORD is the demo's, which everybody can read: outside of demo mode it must be one of your own, for example MONGODB_PASSWORD_FILE=/run/secrets/mongo-backup");
  }
  const accountsDir = env['ACCOUNTS_DIR'] || undefined;
  return { uri, ...(username !== undefined && password !== undefined && { auth: { username, password } }), ...(accountsDir !== undefined && { accountsDir }) };
}

function passwordFile(env: Environment): string | undefined {
  const path = env['MONGODB_PASSWORD_FILE'];
  if (!path) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new BackupError(`MONGODB_PASSWORD_FILE is wrong: ${path} can't be read (${(error as NodeJS.ErrnoException).code}); it must be the path of a file that holds MONGODB_PASSWORD`);
  }
}

/** A message of somebody else without what gives access. */
export function withoutSecrets(message: string, { uri, auth }: Settings): string {
  const inUri = /^[^/]+:\/\/([^@/]*)@/.exec(uri)?.[1]?.split(':')[1];
  return [auth?.password, inUri, inUri && decodeURIComponent(inUri)]
    .filter((secret) => secret !== undefined && secret !== '')
    .reduce<string>((text, secret) => text.replaceAll(secret as string, '***'), message);
}
