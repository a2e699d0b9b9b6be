import { roomyDailyLimits } from '@clinic/service-kit/testing';
import type { DestinationStream } from 'pino';

/** High limits: tests book and order more in a minute than a person should; the limits have their own tests. */
const roomy = {
  CLINIC_MAX_OPEN_APPOINTMENTS: '1000',
  CLINIC_MAX_OPEN_APPOINTMENTS_UNCONFIRMED: '1000',
  WAITLIST_MAX_ENTRIES: '1000',
  CLINIC_MAX_CHANGES_PER_DAY: '100000',
  DAILY_LIMITS: roomyDailyLimits,
  CLINIC_BOOKING_HORIZON_DAYS: '3650',
  PHARMACY_MAX_OPEN_ORDERS: '1000',
  PHARMACY_MAX_OPEN_ORDERS_UNCONFIRMED: '200',
  PHARMACY_MAX_OPEN_MEDICINES: '1000',
  PHARMACY_UNITS_PER_CUSTOMER: 'box=10000,bottle=10000,strip=10000,piece=10000,tablet=10000,ml=10000,mg=10000',
};

/** Settings of every service. @param env - a test's own, which override */
export function commonEnv(
  mongodbUri: string,
  logTo: DestinationStream | undefined,
  env: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return {
    NODE_ENV: 'test',
    DEMO_MODE: 'true',
    LOG_LEVEL: logTo ? 'trace' : 'silent',
    MONGODB_URI: mongodbUri,
    ...roomy,
    ...env,
  };
}

export function identityEnv(projectId: string, emulatorUrl: string, keyFile: string): Readonly<Record<string, string>> {
  return {
    MONGODB_DATABASE: 'identity',
    FIREBASE_PROJECT_ID: projectId,
    FIREBASE_AUTH_EMULATOR_HOST: new URL(emulatorUrl).host,
    SESSION_KEY_FILE: keyFile,
    // On a busy machine a test takes longer than five minutes.
    ACCESS_TOKEN_SECONDS: '600',
    SIGN_INS_PER_MINUTE_AND_ACCOUNT: '1000',
    SIGN_INS_PER_MINUTE_AND_ADDRESS: '10000',
    REGISTRATIONS_PER_HOUR_AND_NETWORK: '10000',
  };
}
