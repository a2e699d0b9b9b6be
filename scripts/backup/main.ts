// Backs up and restores the data of `npm start`; in containers, packages/backup does the same.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseCommand, UsageError } from '@clinic/backup/arguments';
import { identityFile, makeKey } from '@clinic/backup/encryption';
import { writeNewSecret } from '@clinic/backup/output';
import { runCommand } from '@clinic/backup/run-command';
import { startServer } from '@clinic/mongo-embedded';
import { UserError } from '../log.ts';
import { runningOn, takeLock } from '../stack/lock.ts';
import { root } from '../stack/settings.ts';

const dataDir = process.env['DATA_DIR'] || join(root, '.data');
/** Next to the data folder, not in it, because `npm run reset` empties that. */
const backups = join(dirname(dataDir), 'backups');
/** Default key of this machine's backups. */
const identityPath = join(dirname(dataDir), 'backup-keys', 'identity.txt');
// Messages go to stderr, because the output may be the backup itself.
const log = (text: string): void => void process.stderr.write(`${text}\n`);
const stop = new AbortController();
for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.on(event, () => stop.abort());

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  log(error instanceof UserError ? error.message : String((error as Error).stack));
  process.exitCode = 1;
} finally {
  if (process.connected) process.disconnect();
}

async function main(given: readonly string[]): Promise<number> {
  const usual = given[0] === 'backup' ? `${backups}/` : given[0] === 'keys' ? identityPath : undefined;
  const args = usual !== undefined && !isComplete(given) ? [...given, usual] : given;
  if (args[0] === 'verify' || args[0] === 'keys' || !isComplete(args)) return run(args, '');
  if (process.env['MONGODB_URI']) return run(args, process.env['MONGODB_URI']);
  const running = runningOn(dataDir);
  if (running && args[0] === 'restore') {
    throw new UserError(
      `The clinic is running on ${dataDir} (process ${running.pid}): stop it with Ctrl-C first, then restore.`,
    );
  }
  if (running?.embeddedUri) return run(args, running.embeddedUri);
  if (running)
    throw new UserError('The running clinic uses your own database: set its address, MONGODB_URI=… npm run backup');
  if (args[0] === 'backup' && !existsSync(join(dataDir, 'mongo')))
    throw new UserError(`There is no data in ${dataDir} yet: start the clinic once, or set DATA_DIR to its data.`);
  const lock = await takeLock(dataDir, 0);
  try {
    const server = await startServer({ dataDir: join(dataDir, 'mongo'), port: 0 });
    return await run(args, server.uri).finally(() => server.close());
  } finally {
    lock.release();
  }
}

/** Whether a command line is complete. */
function isComplete(args: readonly string[]): boolean {
  try {
    return parseCommand(args).name !== undefined;
  } catch (error) {
    if (error instanceof UsageError) return false;
    throw error;
  }
}

async function run(args: readonly string[], uri: string): Promise<number> {
  const accounts = join(dataDir, 'auth');
  const accountsDir =
    process.env['ACCOUNTS_DIR'] ?? (args[0] === 'restore' || existsSync(accounts) ? accounts : undefined);
  const env = {
    ...process.env,
    MONGODB_URI: uri,
    ...(accountsDir !== undefined && { ACCOUNTS_DIR: accountsDir }),
    ...(await keySettings(args[0])),
  };
  return runCommand(args, { env, input: process.stdin, output: process.stdout, say: log, signal: stop.signal });
}

/** Settings for this machine's default key, if no others are set. The first backup creates the key. */
async function keySettings(command: string | undefined): Promise<Readonly<Record<string, string>>> {
  const isSet = (...names: readonly string[]): boolean => names.some((name) => Boolean(process.env[name]));
  if (command === 'backup' && !isSet('BACKUP_RECIPIENTS', 'BACKUP_RECIPIENTS_FILE', 'BACKUP_ENCRYPTION')) {
    if (!existsSync(identityPath)) {
      const key = await makeKey();
      await writeNewSecret(identityPath, identityFile(key, new Date()));
      log(
        `Backups are encrypted. Their key is new, in ${identityPath}: keep a copy of that file somewhere else. No one can read the backups without it.`,
      );
    }
    const recipient = /^# public key: (\S+)$/m.exec(readFileSync(identityPath, 'utf8'))?.[1];
    if (recipient === undefined)
      throw new UserError(
        `${identityPath} doesn't contain its public key: set BACKUP_RECIPIENTS=age1…, or move the file away to get a new key.`,
      );
    return { BACKUP_RECIPIENTS: recipient };
  }
  const reads = command === 'verify' || command === 'restore';
  if (!reads || isSet('BACKUP_IDENTITY', 'BACKUP_IDENTITY_FILE')) return {};
  // A trial restore uses a separate data folder without a key.
  const path = [identityPath, join(root, 'backup-keys', 'identity.txt')].find((each) => existsSync(each));
  return path === undefined ? {} : { BACKUP_IDENTITY_FILE: path };
}
