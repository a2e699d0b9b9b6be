import process from 'node:process';
import { ProblemError, type ServiceContext } from '@clinic/service-kit';
import { createClient, runTransaction } from '@clinic/service-kit/database';
import { databaseCredentials } from '@clinic/service-kit/database-credentials';
import { baseSettings, readSettings, SettingsError } from '@clinic/service-kit/settings';

/** A command that can't do what was asked; its message tells the operator why. */
export class CommandError extends Error {}

/**
 * Runs an operator's command on the service's database, with the service's settings. What went wrong is said in a line, and the exit
 * code is then 1.
 *
 * @param name - by which the database knows it
 * @param command - returns the lines to print and whether all went well
 */
export async function runOperatorCommand(
  name: string,
  command: (
    context: Pick<ServiceContext, 'db' | 'inTransaction'>,
    words: readonly string[],
  ) => Promise<{ readonly lines: readonly string[]; readonly done: boolean }>,
): Promise<void> {
  try {
    // It needs neither the port nor other services.
    const { IDENTITY_URL, PORT } = baseSettings;
    const settings = readSettings(
      { ...baseSettings, IDENTITY_URL: { ...IDENTITY_URL, optional: true }, PORT: { ...PORT, optional: true } },
      process.env,
    );
    const client = createClient(settings.MONGODB_URI, name, { auth: databaseCredentials(settings) });
    try {
      const { lines, done } = await command(
        { db: client.db(settings.MONGODB_DATABASE), inTransaction: (work) => runTransaction(client, work) },
        process.argv.slice(2),
      );
      for (const line of lines) console.log(line);
      if (!done) process.exitCode = 1;
    } finally {
      await client.close();
    }
  } catch (error) {
    if (![CommandError, ProblemError, SettingsError].some((known) => error instanceof known)) throw error;
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
