import { isIP } from 'node:net';
import { join } from 'node:path';
import type { TryLimitSettings } from './try-limits.ts';

/**
 * `perAddress` matches svc-identity's limit on sign-ins. A person may mistype a handful of passwords, a program tries
 * more.
 */
export const defaultTryLimits: TryLimitSettings = { perAddress: 300, wrongPasswords: 10 };

type Environment = Readonly<Record<string, string | undefined>>;

export interface Settings {
  readonly port: number;
  /** Address to listen on; anything but loopback must be a network that only the clinic's own containers can reach. */
  readonly host: string;
  readonly projectId: string;
  readonly dataFile: string;
  readonly limits: TryLimitSettings;
}

/**
 * Reads the settings of the process.
 *
 * @throws Error with one line: the setting, what it must be, and an example
 */
export function readSettings(env: Environment): Settings {
  const port = env['AUTH_EMULATOR_PORT'] || '9099';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new Error(
      `AUTH_EMULATOR_PORT must be a port from 0 (any free one) to 65535, for example 9099; it is '${port}'`,
    );
  }
  const projectId = env['FIREBASE_PROJECT_ID'] || 'demo-clinic';
  if (!/^demo-[a-z0-9-]{0,24}[a-z0-9]$/.test(projectId)) {
    throw new Error(
      `FIREBASE_PROJECT_ID must be demo- with 1 to 25 lower-case letters, digits and hyphens after it, as no real project is called, for example demo-clinic; it is '${projectId}'`,
    );
  }
  const host = env['AUTH_EMULATOR_HOST'] || '127.0.0.1';
  if (!isIP(host)) {
    throw new Error(`AUTH_EMULATOR_HOST must be the IP address to listen on, for example 127.0.0.1; it is '${host}'`);
  }
  const dataDir = env['AUTH_EMULATOR_DATA_DIR'];
  if (!dataDir) {
    throw new Error(
      'AUTH_EMULATOR_DATA_DIR must be the folder that keeps the accounts, for example .data/auth; it is not set',
    );
  }
  const limits: TryLimitSettings = {
    perAddress: readCount(env, 'SIGN_INS_PER_MINUTE_AND_ADDRESS', defaultTryLimits.perAddress),
    wrongPasswords: readCount(env, 'WRONG_PASSWORDS_PER_MINUTE_AND_ACCOUNT', defaultTryLimits.wrongPasswords),
  };
  return { port: Number(port), host, projectId, dataFile: join(dataDir, `${projectId}.json`), limits };
}

function readCount(env: Environment, name: string, usual: number): number {
  const value = env[name] || String(usual);
  if (!/^[1-9]\d{0,6}$/.test(value))
    throw new Error(`${name} must be a whole number from 1 to 9999999, for example ${usual}; it is '${value}'`);
  return Number(value);
}

/**
 * Rejects an environment that may have real people's data: demo parts need DEMO_MODE=true in production.
 *
 * @throws Error with one line if NODE_ENV=production, unless DEMO_MODE=true
 */
export function rejectProduction(env: Environment): void {
  if (env['NODE_ENV'] === 'production' && env['DEMO_MODE'] !== 'true') {
    throw new Error(
      'the Auth emulator lets anyone be anyone, so with NODE_ENV=production it needs DEMO_MODE=true, which must never be set where real patients are',
    );
  }
}
