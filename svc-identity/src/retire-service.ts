// Makes deletions no longer wait for a removed service, with svc-identity's settings: node src/retire-service.ts home-visits
import process from 'node:process';
import { baseSettings, readSettings, SettingsError } from '@clinic/service-kit/settings';
import { createClient } from '@clinic/service-kit/database';
import { databaseCredentials } from '@clinic/service-kit/database-credentials';
import { retireService } from './personal-data/retire-service.ts';

const [service, ...rest] = process.argv.slice(2);
try {
  if (service === undefined || rest.length > 0)
    throw new SettingsError('give the name of one service: retire-service.ts home-visits');
  // It needs neither the port nor other services.
  const settings = readSettings(
    {
      ...baseSettings,
      IDENTITY_URL: { ...baseSettings.IDENTITY_URL, optional: true },
      PORT: { ...baseSettings.PORT, optional: true },
    },
    process.env,
  );
  const client = createClient(settings.MONGODB_URI, 'retire-service', { auth: databaseCredentials(settings) });
  try {
    const retired = await retireService({ db: client.db(settings.MONGODB_DATABASE) }, service);
    console.log(retired ? `Deletions no longer wait for ${service}.` : `Deletions don’t wait for ${service}.`);
  } finally {
    await client.close();
  }
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  console.error(`retire-service: ${error.message}`);
  process.exitCode = 1;
}
