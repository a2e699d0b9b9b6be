// Says and decides which release of a front-end visitors get, with the service's settings: node src/releases.ts list
import process from 'node:process';
import { ProblemError } from '@clinic/service-kit';
import { createClient, runTransaction } from '@clinic/service-kit/database';
import { databaseCredentials } from '@clinic/service-kit/database-credentials';
import { baseSettings, readSettings, SettingsError } from '@clinic/service-kit/settings';
import { CommandError, runCommand } from './deployments/release-commands.ts';

try {
  // It needs neither the port nor other services.
  const settings = readSettings(
    {
      ...baseSettings,
      IDENTITY_URL: { ...baseSettings.IDENTITY_URL, optional: true },
      PORT: { ...baseSettings.PORT, optional: true },
    },
    process.env,
  );
  const client = createClient(settings.MONGODB_URI, 'releases', { auth: databaseCredentials(settings) });
  try {
    const { lines, done } = await runCommand(
      { db: client.db(settings.MONGODB_DATABASE), inTransaction: (work) => runTransaction(client, work) },
      process.argv.slice(2),
    );
    for (const line of lines) console.log(line);
    if (!done) process.exitCode = 1;
  } finally {
    await client.close();
  }
} catch (error) {
  const isForOperator =
    error instanceof ProblemError || error instanceof CommandError || error instanceof SettingsError;
  if (!isForOperator) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
