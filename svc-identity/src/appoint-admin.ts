// Makes somebody an admin, with the service's settings: node src/appoint-admin.ts you@clinic.example
import process from 'node:process';
import { baseSettings, readSettings, SettingsError } from '@clinic/service-kit/settings';
import { createClient, runTransaction } from '@clinic/service-kit/database';
import { databaseCredentials } from '@clinic/service-kit/database-credentials';
import { AppointmentError, appointAdmin } from './users/appoint-admin.ts';

const [email, ...rest] = process.argv.slice(2);
try {
  if (!email?.includes('@') || rest.length > 0)
    throw new AppointmentError('give one email address: appoint-admin.ts you@clinic.example');
  // It needs neither the port nor other services.
  const settings = readSettings(
    {
      ...baseSettings,
      IDENTITY_URL: { ...baseSettings.IDENTITY_URL, optional: true },
      PORT: { ...baseSettings.PORT, optional: true },
    },
    process.env,
  );
  const client = createClient(settings.MONGODB_URI, 'appoint-admin', { auth: databaseCredentials(settings) });
  try {
    const changed = await appointAdmin(
      { db: client.db(settings.MONGODB_DATABASE), inTransaction: (work) => runTransaction(client, work) },
      email,
    );
    console.log(
      changed ? `${email} is now an admin. Their menu updates within a second.` : `${email} is already an admin.`,
    );
  } finally {
    await client.close();
  }
} catch (error) {
  if (!(error instanceof AppointmentError) && !(error instanceof SettingsError)) throw error;
  console.error(`appoint-admin: ${error.message}`);
  process.exitCode = 1;
}
