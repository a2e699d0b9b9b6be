import { parseCommand, usage, UsageError, type Command } from './arguments.ts';
import { backUp } from './backup.ts';
import { identityFile, makeKey } from './encryption.ts';
import { BackupError } from './errors.ts';
import { openInput } from './input.ts';
import type { Manifest } from './manifest.ts';
import { restore } from './restore.ts';
import { readEncryption, readIdentities, readSettings } from './settings.ts';
import { writeNewSecret } from './output.ts';
import { readBackup } from './verify.ts';

/** The environment of a command. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  /** Prints messages apart from the output, which may be the backup itself. */
  readonly say: (text: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Runs a command line.
 *
 * @returns the exit code: 0, 1 if it failed, 2 for invalid usage
 */
export async function runCommand(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { say, signal } = surroundings;
  if (args.includes('--help')) {
    say(usage);
    return 0;
  }
  let command: Command | undefined;
  try {
    command = parseCommand(args);
    await carryOut(command, surroundings);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      say(error.message);
      return 2;
    }
    if (signal.aborted)
      say(
        command?.name === 'restore'
          ? 'Stopped: the system is incomplete. Run the restore again to start over.'
          : 'Stopped: no backup was kept.',
      );
    else
      say(
        error instanceof BackupError
          ? `${command?.name ?? 'backup'}: ${error.message}`
          : String((error as Error).stack),
      );
    return 1;
  }
}

async function carryOut(command: Command, { env, input, output, say, signal }: Surroundings): Promise<void> {
  const began = performance.now();
  const seconds = (): string => `${((performance.now() - began) / 1000).toFixed(1)} s`;
  switch (command.name) {
    case 'backup': {
      const { target, databases, keep } = command;
      const encryption = readEncryption(env);
      if (encryption === 'off')
        say('BACKUP_ENCRYPTION is off: anyone with this backup can read the health records and everything else in it.');
      const { manifest, file } = await backUp({
        settings: readSettings(env),
        target: target === '-' ? output : target,
        encryption,
        signal,
        say,
        ...(databases && { databases }),
        ...(keep !== undefined && { keep }),
      });
      say(`Backed up ${summary(manifest)} in ${seconds()}${file === undefined ? '' : `: ${file}`}`);
      return;
    }
    case 'restore': {
      const manifest = await restore({
        settings: readSettings(env),
        source: command.source === '-' ? input : command.source,
        identities: readIdentities(env),
        replace: command.replace,
        without: command.without,
        signal,
        say,
      });
      say(`Restored ${summary(manifest)} of ${manifest.madeAt} in ${seconds()}, and compared them.`);
      return;
    }
    case 'verify': {
      const opened = await openInput(command.source === '-' ? input : command.source, readIdentities(env));
      const manifest = await readBackup(opened).finally(() => opened.close());
      for (const { db, name, count } of manifest.collections)
        say(`${db}.${name}: ${count.toLocaleString('en')} documents`);
      say(
        `Complete and unchanged: ${summary(manifest)} of ${manifest.madeAt}, from ${manifest.server.embedded ? 'the embedded database' : `MongoDB ${manifest.server.version}`}.`,
      );
      return;
    }
    case 'keys': {
      const key = await makeKey();
      const file = identityFile(key, new Date());
      if (command.target === '-') output.write(file);
      else await writeNewSecret(command.target, file);
      say(`Recipient (public): ${key.recipient}`);
      say(
        `Identity: ${command.target === '-' ? 'on standard output' : command.target}. No one can read the backups without it: keep copies away from the machine that makes the backups.`,
      );
    }
  }
}

function summary({ databases, collections, accounts }: Manifest): string {
  const documents = collections.reduce((sum, { count }) => sum + count, 0);
  return `${databases.join(', ')} (${documents.toLocaleString('en')} documents in ${collections.length} collections)${accounts.length > 0 ? ' and the sign-in accounts' : ''}`;
}
