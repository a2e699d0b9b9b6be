/** A parsed command line. */
export type Command =
  | {
      readonly name: 'backup';
      readonly target: string;
      readonly databases: readonly string[] | undefined;
      readonly keep: number | undefined;
    }
  | {
      readonly name: 'restore';
      readonly source: string;
      readonly replace: boolean;
      readonly without: readonly string[];
    }
  | { readonly name: 'verify'; readonly source: string }
  | { readonly name: 'keys'; readonly target: string };

export const usage = `backup <folder | file | ->    copies all databases and accounts, at one point in time; - is standard output
  --databases a,b             only these databases (default: all that the user can read)
  --keep N                    with a folder: removes all but the newest N backups afterwards
verify <file | ->             reads a backup and checks it against its checksums; changes nothing
restore <file | ->            writes a backup into an empty system; - is standard input
  --replace                   first deletes all collections of the databases in the backup, and their accounts
  --without a.b,c.d           leaves these collections empty, e.g. identity.sessions: then everyone has to sign in again
  keys <file | ->             makes a key: writes the identity, which decrypts backups, to the file and prints its recipient
  BACKUP_RECIPIENTS or BACKUP_RECIPIENTS_FILE has the recipients (age1…) that backups are encrypted to; BACKUP_ENCRYPTION=off leaves them
unencrypted. BACKUP_IDENTITY_FILE names the identity for verify and restore.
MONGODB_URI names the server, MONGODB_USER with MONGODB_PASSWORD or MONGODB_PASSWORD_FILE the user, and ACCOUNTS_DIR
the Auth emulator's data folder, if there is one.`;

/** The command line is invalid; the message says why. */
export class UsageError extends Error {}

const optionsOf: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['backup', new Set(['--databases', '--keep'])],
  ['restore', new Set(['--replace', '--without'])],
  ['verify', new Set()],
  ['keys', new Set()],
]);

/** @throws UsageError */
export function parseCommand([name = '', ...rest]: readonly string[]): Command {
  const options = new Map<string, string>();
  const names: string[] = [];
  for (let at = 0; at < rest.length; at += 1) {
    const [option = '', inline] = rest[at]?.split('=', 2) ?? [];
    if (!option.startsWith('--')) names.push(rest[at] ?? '');
    else if (option === '--replace' && inline === undefined) options.set(option, '');
    else if (option === '--databases' || option === '--keep' || option === '--without')
      options.set(option, inline ?? rest[(at += 1)] ?? '');
    else throw new UsageError(`Unknown option '${rest[at]}'.\n\n${usage}`);
  }
  const [target, ...more] = names;
  const allowed = optionsOf.get(name);
  const foreign = [...options.keys()].find((option) => !allowed?.has(option));
  if (!allowed || target === undefined || target === '' || more.length > 0 || foreign !== undefined) {
    throw new UsageError(foreign && allowed ? `${name} has no option ${foreign}.\n\n${usage}` : usage);
  }
  if (name === 'verify') return { name, source: target };
  if (name === 'keys') return { name, target };
  if (name === 'restore')
    return {
      name,
      source: target,
      replace: options.has('--replace'),
      without: collectionNames(options.get('--without')),
    };
  return {
    name: 'backup',
    target,
    databases: databaseNames(options.get('--databases')),
    keep: keepCount(options.get('--keep'), target),
  };
}

function databaseNames(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const names = text.split(',').map((part) => part.trim());
  if (!names.every((part) => /^[\w-]{1,60}$/.test(part)))
    throw new UsageError('--databases must be database names, for example --databases identity,clinic,pharmacy');
  return [...new Set(names)];
}

function collectionNames(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const names = text.split(',').map((part) => part.trim());
  if (!names.every((part) => /^[\w-]+\.\S+$/.test(part)))
    throw new UsageError('--without must be collections with their database, for example --without identity.sessions');
  return names;
}

function keepCount(text: string | undefined, target: string): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,4}$/.test(text))
    throw new UsageError('--keep must be the number of backups to keep, 1 or more, for example --keep 14');
  if (target === '-') throw new UsageError('--keep needs a folder, not standard output');
  return Number(text);
}
