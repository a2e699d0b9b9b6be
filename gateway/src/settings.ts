import { baseSettings, flag, httpUrl, integer, readSettings, SettingsError, text, timeZone, type Setting } from '@clinic/service-kit/settings';

/** Addresses of equal servers, separated by commas; requests take turns. */
function httpUrls(example: string): Setting<readonly string[]> {
  const one = httpUrl({ example });
  return {
    expected: 'must be http or https addresses separated by commas',
    example,
    parse(value) {
      const urls = value.split(',').map((part) => one.parse(part.trim()));
      return urls.every((url) => url !== undefined) ? urls : undefined;
    },
  };
}

/** Remotes by name: `mf-clinic=http://127.0.0.1:4102,…`. */
const remoteList: Setting<ReadonlyMap<string, string>> = {
  expected: 'must be name=address pairs separated by commas',
  example: 'mf-public=http://127.0.0.1:4101,mf-clinic=http://127.0.0.1:4102',
  parse(value) {
    const remotes = new Map<string, string>();
    for (const pair of value.split(',')) {
      const [, name, address] = /^\s*([a-z][a-z0-9-]*)=(.+)$/.exec(pair) ?? [];
      const url = address === undefined ? undefined : httpUrl().parse(address.trim());
      if (name === undefined || url === undefined) return undefined;
      remotes.set(name, url);
    }
    return remotes;
  },
};

const optionalUrl: Setting<string | undefined> = { ...httpUrl({ example: 'http://127.0.0.1:9099' }), optional: true };

const demoKey = 'demo-key';

const { HOST, METRICS_PORT, DEMO_MODE, NODE_ENV, LOG_LEVEL } = baseSettings;

const spec = {
  HOST, METRICS_PORT, DEMO_MODE, NODE_ENV, LOG_LEVEL,
  PORT: integer({ min: 0, max: 65_535, default: 8080 }),
  IDENTITY_URL: httpUrls('http://127.0.0.1:4001'),
  CLINIC_URL: httpUrls('http://127.0.0.1:4002'),
  PHARMACY_URL: httpUrls('http://127.0.0.1:4003'),
  SHELL_URL: httpUrl({ example: 'http://127.0.0.1:4100' }),
  REMOTES: remoteList,
  AUTH_EMULATOR_URL: optionalUrl,
  // An API key of Firebase is public: browsers send it. The defaults are the emulator's.
  FIREBASE_API_KEY: text({ default: demoKey, example: 'AIza…', expected: 'must be the web API key of the Firebase project' }),
  FIREBASE_AUTH_DOMAIN: text({ default: 'demo-clinic.firebaseapp.com', expected: 'must be the auth domain of the Firebase project' }),
  FIREBASE_PROJECT_ID: text({ default: 'demo-clinic', expected: 'must be the id of the Firebase project' }),
  CLINIC_TZ: timeZone({ default: 'Asia/Dhaka' }),
  /** Where visitors find the clinic: search engines and programs that show shared links want whole addresses. */
  PUBLIC_URL: { ...httpUrl({ example: 'https://clinic.example' }), optional: true } satisfies Setting<string | undefined>,
  /** A reverse proxy of ours stands in front and its X-Forwarded-For and -Proto are true. */
  TRUST_PROXY: flag({ default: false }),
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
    throw new SettingsError('AUTH_EMULATOR_URL is only for demos: anyone can be anyone with the emulator. Leave it out, or say DEMO_MODE=true');
  }
  if (settings.AUTH_EMULATOR_URL === undefined && settings.FIREBASE_API_KEY === demoKey) {
    throw new SettingsError('FIREBASE_API_KEY is not set: it must be the web API key of the Firebase project, for example FIREBASE_API_KEY=AIza… (with FIREBASE_AUTH_DOMAIN and FIREBASE_PROJECT_ID)');
  }
  return { ...settings, PUBLIC_URL: settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}` };
}
