import { readFileSync } from 'node:fs';
import { z } from 'zod';
import {
  choice,
  country,
  flag,
  httpUrl,
  httpUrls,
  integer,
  namedNumbers,
  optionalFlag,
  optionalText,
  origins,
  text,
  timeZone,
  type Setting,
} from './setting-types.ts';

// The package's entry `@clinic/service-kit/settings`.
export {
  choice,
  currency,
  flag,
  httpUrl,
  httpUrls,
  integer,
  namedUrls,
  optionalFlag,
  optionalText,
  origins,
  parsedBy,
  quietHours,
  text,
  timeZone,
  type Setting,
} from './setting-types.ts';

/** Settings of a service by environment variable. */
export type SettingsSpec = Readonly<Record<string, Setting<unknown>>>;

/** The values of a settings specification. */
export type SettingsOf<Spec extends SettingsSpec> = {
  readonly [Name in keyof Spec]: Spec[Name] extends Setting<infer T> ? T : never;
};

/** A setting is missing or wrong. The message is one line for the operator and never contains the value. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** Tracing settings, shared with the gateway. */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: { ...httpUrl({ example: 'http://127.0.0.1:4318' }), optional: true } as Setting<
    string | undefined
  >,
  OTEL_TRACES_SAMPLER_ARG: {
    expected: 'must be a number from 0 to 1',
    example: '0.1',
    default: 1,
    schema: z
      .string()
      .regex(/^(?:0?\.\d+|[01](?:\.0+)?)$/)
      .transform(Number),
  } as Setting<number>,
} satisfies SettingsSpec;

/** Settings of every service. */
export const baseSettings = {
  HOST: text({ default: '127.0.0.1', expected: 'must be an address to listen on' }),
  PORT: integer({ min: 0, max: 65_535, example: '4001' }),
  METRICS_PORT: integer({ min: 0, max: 65_535, default: 0, example: '9101' }),
  MONGODB_URI: {
    expected: 'must be the address of a MongoDB server',
    example: 'mongodb://127.0.0.1:27017',
    schema: z.string().regex(/^mongodb(?:\+srv)?:\/\/./),
  } as Setting<string>,
  MONGODB_USER: optionalText({ expected: 'must be the name of a user of the database', example: 'clinic' }),
  MONGODB_PASSWORD: optionalText({ expected: 'must be the password of MONGODB_USER', example: 'a long random text' }),
  MONGODB_DATABASE: {
    expected: 'must be the name of a database: letters, digits, - and _',
    example: 'clinic',
    schema: z.string().regex(/^[\w-]{1,60}$/),
  } as Setting<string>,
  /** URL of svc-identity; replicas are separated by `|` and tried in turn. */
  IDENTITY_URL: httpUrls({ example: 'http://127.0.0.1:4001' }),
  /** Secret of calls to `/internal/…`; see `internalSecret` for the default. */
  INTERNAL_SECRET: optionalText({
    expected: "must be the secret that the clinic's services share",
    example: 'a long random text',
  }),
  /** Accepts internal calls from services of the previous release, which send no secret. */
  INTERNAL_SECRET_OPTIONAL: flag({ default: false }),
  /** The clinic's time zone: decides what "today" and "past" mean. */
  CLINIC_TZ: timeZone({ default: 'Asia/Dhaka' }),
  /** The clinic's country: phone numbers without a country's code belong to it. */
  CLINIC_COUNTRY: country({ default: 'BD' }),
  /** Other limits of what an account may do in a day, by name (docs/privacy.md). */
  DAILY_LIMITS: namedNumbers({ example: 'orders=40,profile-changes=50' }),
  /** The commit that the program was built from, for log lines and publications. */
  COMMIT: optionalText({ expected: 'must be a commit', example: '3f2a91c' }),
  /** Version of this deployment, for people; defaults to the program's package version. */
  SERVICE_VERSION: optionalText({ expected: 'must be a version', example: '1.4.0+3f2a91c' }),
  DEMO_MODE: flag({ default: false }),
  /** The clinic's public address; services only check that it fits DEMO_MODE. */
  PUBLIC_URL: { ...httpUrl({ example: 'https://clinic.example' }), optional: true } as Setting<string | undefined>,
  NODE_ENV: choice(['development', 'test', 'production'], { default: 'development' }),
  LOG_LEVEL: choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], { default: 'info' }),
  PUBLIC_ORIGINS: origins({ default: [] }),
  COOKIE_SECURE: optionalFlag(),
  /** Database commands slower than this (milliseconds) are logged; 0 disables this. */
  SLOW_COMMAND_MS: integer({ min: 0, default: 500 }),
  /** Days to keep the record of which staff viewed a person's records. */
  LOOKS_KEPT_DAYS: integer({ min: 0, max: 36_500, default: 365 }),
  /** Days to keep responses for repeated requests; 0 keeps them for ever. */
  IDEMPOTENCY_KEPT_DAYS: integer({ min: 0, max: 36_500, default: 1 }),
  ...tracingSettings,
} satisfies SettingsSpec;

export type BaseSettings = SettingsOf<typeof baseSettings>;

/**
 * Content of the file that `<name>_FILE` names: secrets in files don't show up in lists of processes or containers.
 *
 * @throws SettingsError if the file can't be read
 */
function readSecretFile(name: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const path = env[`${name}_FILE`];
  if (!path) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new SettingsError(
      `${name}_FILE is wrong: ${path} can't be read (${(error as NodeJS.ErrnoException).code}); it must be the path of a file that holds ${name}, for example ${name}_FILE=/run/secrets/${name.toLowerCase().replaceAll('_', '-')}`,
    );
  }
}

/**
 * Reads settings from the environment; each value may also be in a file, named by the variable with `_FILE` appended.
 *
 * @param env - usually `process.env`
 * @throws SettingsError for the first one that is missing or wrong
 */
export function readSettings<Spec extends SettingsSpec>(
  spec: Spec,
  env: Readonly<Record<string, string | undefined>>,
): SettingsOf<Spec> {
  const read = ([name, setting]: [string, Setting<unknown>]): [string, unknown] => {
    const raw = (env[name] || readSecretFile(name, env))?.trim() ?? '';
    if (raw === '') {
      if (setting.default !== undefined) return [name, setting.default];
      if (setting.optional) return [name, undefined];
      throw new SettingsError(`${name} is not set: it ${setting.expected}, for example ${name}=${setting.example}`);
    }
    const { success, data } = setting.schema.safeParse(raw);
    if (!success)
      throw new SettingsError(`${name} is wrong: it ${setting.expected}, for example ${name}=${setting.example}`);
    return [name, data];
  };
  return Object.fromEntries(Object.entries(spec).map(read)) as SettingsOf<Spec>;
}

/**
 * Whether session cookies carry `Secure` and the `__Host-`/`__Secure-` prefixes: COOKIE_SECURE if it is set, otherwise
 * only in production outside demo mode (Safari rejects such cookies on http, even from loopback).
 */
export function cookiesAreSecure(settings: Pick<BaseSettings, 'COOKIE_SECURE' | 'NODE_ENV' | 'DEMO_MODE'>): boolean {
  return settings.COOKIE_SECURE ?? (settings.NODE_ENV === 'production' && !settings.DEMO_MODE);
}
