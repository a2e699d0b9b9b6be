import { join } from 'node:path';
import { UserError } from '../log.ts';

export const root = join(import.meta.dirname, '..', '..');

/** Settings of `npm start`. */
export interface StackSettings {
  /** The public port. */
  readonly port: number;
  /** Folder of the databases, the demo accounts and the logs. */
  readonly dataDir: string;
  /** Rebuild and restart on change. */
  readonly watch: boolean;
  /** Address of an external MongoDB; by default the embedded database is started. */
  readonly mongodbUri: string | undefined;
  /** Developers may point the shell at a local build of one remote. */
  readonly remoteOverrides: boolean;
  /** The remote of the domain to work on: it is served while it changes, and the rest runs as built last. */
  readonly domain: string | undefined;
}

/**
 * @param env - the process's environment
 * @param args - the command's arguments
 * @throws UserError with the variable, what it must be, and an example
 */
export function readSettings(env: NodeJS.ProcessEnv, args: readonly string[]): StackSettings {
  const port = Number(env['PORT'] ?? 8080);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new UserError(`PORT is '${env['PORT']}', but must be a port number from 1 to 65535, e.g. PORT=8080.`);
  }
  const watch = args.includes('--watch');
  const [domain, ...others] = args.filter((arg) => arg !== '--watch');
  const unknown = watch && domain?.startsWith('mf-') ? others[0] : domain;
  if (unknown !== undefined)
    throw new UserError(
      `'${unknown}' is not an option here. To work on one domain, name its remote: npm run dev -- mf-clinic`,
    );
  const mongodbUri = env['MONGODB_URI'] || undefined;
  if (mongodbUri !== undefined && !/^mongodb(\+srv)?:\/\//.test(mongodbUri)) {
    throw new UserError(
      "MONGODB_URI must be a MongoDB address, e.g. MONGODB_URI='mongodb://127.0.0.1:27017/?replicaSet=rs0'.",
    );
  }
  const overrides = env['REMOTE_OVERRIDES'] || 'false';
  if (overrides !== 'true' && overrides !== 'false')
    throw new UserError(`REMOTE_OVERRIDES is '${overrides}', but must be true or false, e.g. REMOTE_OVERRIDES=true.`);
  return {
    port,
    dataDir: env['DATA_DIR'] || join(root, '.data'),
    watch,
    mongodbUri,
    // A served remote overrides the one that was built.
    remoteOverrides: overrides === 'true' || domain !== undefined,
    domain,
  };
}
