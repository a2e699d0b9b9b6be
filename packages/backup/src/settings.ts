import { readFileSync } from 'node:fs';
import { demoKey } from './demo-key.ts';
import { checkIdentities, checkRecipients, keyLines, type Encryption } from './encryption.ts';
import { BackupError } from './errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the databases and the accounts are. */
export interface Settings {
  readonly uri: string;
  readonly auth?: { readonly username: string; readonly password: string };
  /** Folder of the Auth emulator's accounts; only demos have one. */
  readonly accountsDir?: string;
}

/** Prefix of all demo secrets. */
const demoMark = 'demo-only';

/**
 * Reads the settings, which are the same as the services'.
 *
 * @throws BackupError with one line: the setting, what it must be, and an example, but never its value
 */
export function readSettings(env: Environment): Settings {
  const uri = env['MONGODB_URI']?.trim() ?? '';
  if (!/^mongodb(?:\+srv)?:\/\/./.test(uri)) {
    throw new BackupError(
      `MONGODB_URI ${uri === '' ? 'is not set' : 'is wrong'}: it must be the address of a MongoDB server, for example MONGODB_URI=mongodb://127.0.0.1:27017/?replicaSet=rs0`,
    );
  }
  const username = env['MONGODB_USER'] || undefined;
  const password = secret(env, 'MONGODB_PASSWORD');
  if (username === undefined && password !== undefined)
    throw new BackupError(
      'MONGODB_USER is not set, but MONGODB_PASSWORD is: it must be the name of the database user, for example MONGODB_USER=backup',
    );
  if (username !== undefined && password === undefined)
    throw new BackupError(
      'MONGODB_PASSWORD is not set, but MONGODB_USER is: it must be its password, for example MONGODB_PASSWORD_FILE=/run/secrets/mongo-backup',
    );
  if (env['DEMO_MODE'] !== 'true' && [uri, password].some((text) => text?.includes(demoMark))) {
    throw new BackupError(
      'MONGODB_PASSWORD is the demo password, which everyone can read: outside demo mode it must be your own, for example MONGODB_PASSWORD_FILE=/run/secrets/mongo-backup',
    );
  }
  const accountsDir = env['ACCOUNTS_DIR'] || undefined;
  return {
    uri,
    ...(username !== undefined && password !== undefined && { auth: { username, password } }),
    ...(accountsDir !== undefined && { accountsDir }),
  };
}

/**
 * Reads a value from its variable, or from the file named by `<name>_FILE`.
 *
 * @throws BackupError if there is no such file
 */
function secret(env: Environment, name: string): string | undefined {
  const path = env[`${name}_FILE`];
  if (env[name] || !path) return env[name]?.trim() || undefined;
  try {
    return readFileSync(path, 'utf8').trim() || undefined;
  } catch (error) {
    throw new BackupError(
      `${name}_FILE is wrong: ${path} can't be read (${(error as NodeJS.ErrnoException).code}); it must be the path of a file that holds ${name}`,
    );
  }
}

/**
 * Reads the recipients of backups. A demo without its own key uses the demo's.
 *
 * @throws BackupError if none are set: unencrypted backups must be requested explicitly
 */
export function readEncryption(env: Environment): Encryption {
  const choice = env['BACKUP_ENCRYPTION']?.trim() || 'on';
  if (choice !== 'on' && choice !== 'off')
    throw new BackupError('BACKUP_ENCRYPTION is wrong: it must be on or off, for example BACKUP_ENCRYPTION=on');
  if (choice === 'off') return 'off';
  const demo = env['DEMO_MODE'] === 'true';
  const named = keyLines(secret(env, 'BACKUP_RECIPIENTS') ?? '');
  const recipients = named.length === 0 && demo ? [demoKey.recipient] : named;
  if (recipients.length === 0) {
    throw new BackupError(
      'BACKUP_RECIPIENTS is not set: it must be the public key that backups are encrypted to, for example BACKUP_RECIPIENTS=age1… (the command keys makes one; BACKUP_ENCRYPTION=off leaves backups unencrypted)',
    );
  }
  checkRecipients(recipients, 'BACKUP_RECIPIENTS');
  if (!demo && recipients.includes(demoKey.recipient))
    throw new BackupError(
      'BACKUP_RECIPIENTS is the demo key, whose identity everyone can read: outside demo mode it must be your own (the command keys makes one)',
    );
  return { recipients };
}

/** Reads the identities that decrypt backups, if any. @throws BackupError if one is invalid */
export function readIdentities(env: Environment): readonly string[] {
  const identities = keyLines(secret(env, 'BACKUP_IDENTITY') ?? '');
  checkIdentities(identities, 'BACKUP_IDENTITY');
  return env['DEMO_MODE'] === 'true' ? [...identities, demoKey.identity] : identities;
}

/** Removes secrets from another program's message. */
export function withoutSecrets(message: string, { uri, auth }: Settings): string {
  const inUri = /^[^/]+:\/\/([^@/]*)@/.exec(uri)?.[1]?.split(':')[1];
  return [auth?.password, inUri, inUri && decodeURIComponent(inUri)]
    .filter((secret) => secret !== undefined && secret !== '')
    .reduce<string>((text, secret) => text.replaceAll(secret as string, '***'), message);
}
