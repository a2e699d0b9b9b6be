import { rejectHalfDemo } from '@clinic/service-kit/demo-settings';
import {
  baseSettings,
  choice,
  currency,
  flag,
  httpUrl,
  httpUrls,
  integer,
  namedUrls,
  optionalText,
  readSettings,
  SettingsError,
  text,
  timeZone,
  tracingSettings,
  type Setting,
} from '@clinic/service-kit/settings';
import { fitsCookie, maxCookieBytes } from '@clinic/service-kit/session-bundle';
import type { StrictTransportScope } from './server/origin.ts';

const optionalUrl: Setting<string | undefined> = { ...httpUrl({ example: 'http://127.0.0.1:9099' }), optional: true };

const demoKey = 'demo-key';

const { HOST, METRICS_PORT, DEMO_MODE, PUBLIC_URL, NODE_ENV, LOG_LEVEL, COMMIT } = baseSettings;

const spec = {
  HOST,
  /** Never expose it. */
  METRICS_PORT,
  /** Demo accounts on the login page; only with a project that begins with `demo-`. */
  DEMO_MODE,
  NODE_ENV,
  /** `debug` logs requests for files too. */
  LOG_LEVEL,
  COMMIT,
  ...tracingSettings,
  /** The operator has set DEMO_MODE explicitly; docker-compose.yml defaults it to true. */
  DEMO_MODE_SAID: flag({ default: false }),
  /** Address of the host on which this container's port is published, if it runs in one. */
  PUBLISHED_AT: optionalText({ expected: 'must be an address of this machine', example: '127.0.0.1' }),
  PORT: integer({ min: 0, max: 65_535, default: 8080 }),
  /** Addresses of each service's replicas. Its name is also the audience of its session tokens. */
  SERVICES: namedUrls(
    'identity=http://127.0.0.1:4001,clinic=http://127.0.0.1:4002|http://127.0.0.1:4012,pharmacy=http://127.0.0.1:4003',
  ),
  /** Folder for what services said last, for a start while they are unavailable; without it, each start is like the first. */
  PUBLICATIONS_DIR: optionalText({ expected: 'must be a folder', example: '/var/lib/gateway' }),
  SHELL_URL: httpUrls({ example: 'http://127.0.0.1:4100' }),
  REMOTES: namedUrls('mf-public=http://127.0.0.1:4101,mf-clinic=http://127.0.0.1:4102'),
  /** Only in demos: anyone can sign in as anyone. */
  AUTH_EMULATOR_URL: optionalUrl,
  // A Firebase API key is public: browsers send it. The defaults are the emulator's.
  FIREBASE_API_KEY: text({
    default: demoKey,
    example: 'AIza…',
    expected: 'must be the web API key of the Firebase project',
  }),
  FIREBASE_AUTH_DOMAIN: text({
    default: 'demo-clinic.firebaseapp.com',
    expected: 'must be the auth domain of the Firebase project',
  }),
  FIREBASE_PROJECT_ID: text({ default: 'demo-clinic', expected: 'must be the id of the Firebase project' }),
  CLINIC_TZ: timeZone({ default: 'Asia/Dhaka' }),
  /** The clinic's currency: one sign for all amounts. Without it the store shows $ and orders ৳, as in the demo. */
  CURRENCY: currency,
  /** The clinic's public URL: search engines and link previews need absolute URLs. */
  PUBLIC_URL,
  /** A reverse proxy of ours is in front, and its X-Forwarded-For and -Proto can be trusted. */
  TRUST_PROXY: flag({ default: false }),
  /** The balancer of docker-compose.yml is in front; it sets these headers, or passes on those of that proxy. */
  BEHIND_BALANCER: flag({ default: false }),
  /** How far browsers must use https only, where the clinic is reached by https. */
  HSTS: choice<StrictTransportScope>(['off', 'host', 'subdomains', 'preload'], { default: 'subdomains' }),
  /**
   * Default: `enforce` with the emulator; `report` with a real project, because Google's own script hasn't been tested
   * under it.
   */
  TRUSTED_TYPES: { ...choice(['enforce', 'report']), optional: true } as Setting<'enforce' | 'report' | undefined>,
  /** Developers may point this shell at a local build of one remote. */
  REMOTE_OVERRIDES: flag({ default: false }),
};

export type GatewaySettings = ReturnType<typeof readGatewaySettings>;

/**
 * Reads the gateway's settings.
 *
 * @throws SettingsError for the first one that is missing or wrong
 */
export function readGatewaySettings(env: Readonly<Record<string, string | undefined>>) {
  const settings = readSettings(spec, env);
  if (settings.AUTH_EMULATOR_URL !== undefined && !settings.DEMO_MODE) {
    throw new SettingsError(
      'AUTH_EMULATOR_URL is only for demos, because anyone can sign in as anyone with the emulator: it must be unset, for example AUTH_EMULATOR_URL= in .env, or DEMO_MODE=true for a demo',
    );
  }
  if (!fitsCookie([...settings.SERVICES.keys()])) {
    throw new SettingsError(
      `SERVICES is wrong: it must be fewer services, because a session has a token for each in one cookie, and browsers keep ${maxCookieBytes} bytes, for example SERVICES=${spec.SERVICES.example}`,
    );
  }
  if (settings.AUTH_EMULATOR_URL === undefined && settings.FIREBASE_API_KEY === demoKey) {
    throw new SettingsError(
      'FIREBASE_API_KEY is not set: it must be the web API key of the Firebase project, for example FIREBASE_API_KEY=AIza… (with FIREBASE_AUTH_DOMAIN and FIREBASE_PROJECT_ID)',
    );
  }
  rejectHalfDemo({ ...settings, emulated: settings.AUTH_EMULATOR_URL !== undefined });
  return { ...settings, PUBLIC_URL: settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}` };
}
