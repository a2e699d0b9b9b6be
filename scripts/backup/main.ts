// Backs up and restores the data of `npm start`; in a container packages/backup does the same.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseCommand, UsageError } from '@clinic/backup/arguments';
import { runCommand } from '@clinic/backup/run-command';
import { startServer } from '@clinic/mongo-embedded';
import { UserError } from '../say.ts';
import { runningOn, takeLock } from '../stack/lock.ts';
import { root } from '../stack/settings.ts';

const dataDir = process.env['DATA_DIR'] || join(root, '.data');
/** Beside the data, not in it: `npm run reset` empties that. */
const backups = join(dirname(dataDir), 'backups');
// What people read: the output may be the backup itself.
const say = (text: string): void => void process.stderr.write(`${text}\n`);
const stop = new AbortController();
for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.on(event, () => stop.abort());

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  say(error instanceof UserError ? error.message : String((error as Error).stack));
  process.exitCode = 1;
} finally {
  if (process.connected) process.disconnect();
}

async function main(given: readonly string[]): Promise<number> {
  const args = given[0] === 'backup' && !isComplete(given) ? [...given, `${backups}/`] : given;
  if (args[0] === 'verify' || !isComplete(args)) return run(args, '');
  if (process.env['MONGODB_URI']) return run(args, process.env['MONGODB_URI']);
  const running = runningOn(dataDir);
  if (running && args[0] === 'restore') {
    throw new UserError(`The clinic is running on ${dataDir} (process ${running.pid}): stop it with Ctrl-C first, then restore.`);
  }
  if (running?.embeddedUri) return run(args, running.embeddedUri);
  if (running) throw new UserError('The clinic that is running uses a database of yours: say which, MONGODB_URI=… npm run backup');
  if (args[0] === 'backup' && !existsSync(join(dataDir, 'mongo'))) throw new UserError(`There is no data in ${dataDir} yet: start the clinic once, or name its data with DATA_DIR.`);
  const lock = await takeLock(dataDir, 0);
  try {
    const server = await startServer({ dataDir: join(dataDir, 'mongo'), port: 0 });
    return await run(args, server.uri).finally(() => server.close());
  } finally {
    lock.release();
  }
}

/** Whether a command line says all that it has to. */
function isComplete(args: readonly string[]): boolean {
  try {
    return parseCommand(args).name !== undefined;
  } catch (error) {
    if (error instanceof UsageError) return false;
    throw error;
  }
}

function run(args: readonly string[], uri: string): Promise<number> {
  const accounts = join(dataDir, 'auth');
  const accountsDir = process.env['ACCOUNTS_DIR'] ?? (args[0] === 'restore' || existsSync(accounts) ? accounts : undefined);
  return runCommand(args, {
    env: { ...process.env, MONGODB_URI: uri, ...(accountsDir !== undefined && { ACCOUNTS_DIR: accountsDir }) },
    input: process.stdin, output: process.stdout, say, signal: stop.signal,
  });
}
