import { join } from 'node:path';
import { frontEnds } from './build.ts';
import { root, type StackSettings } from './settings.ts';
import type { Program } from './supervisor.ts';

/** Ports of the stack, all on loopback; only `gateway` is meant for people. */
export type Ports = Readonly<Record<'gateway' | 'mongo' | 'auth' | 'identity' | 'clinic' | 'pharmacy' | (typeof frontEnds)[number], number>>;

const local = (port: number): string => `http://127.0.0.1:${port}`;

/**
 * The programs of the clinic on one machine, in layers: those of one layer start together, once the layer before is
 * ready. The same programs run as containers in docker-compose.yml.
 */
export function programsOf(settings: StackSettings, ports: Ports): readonly (readonly Program[])[] {
  const { dataDir } = settings;
  const projectId = 'demo-clinic';
  const mongodbUri = settings.mongodbUri ?? `mongodb://127.0.0.1:${ports.mongo}/?replicaSet=rs0`;
  const common = { HOST: '127.0.0.1', DEMO_MODE: 'true', NODE_ENV: 'development', FIREBASE_PROJECT_ID: projectId };

  const node = (folder: string, name: string, env: Record<string, string>, readyUrl?: string): Program => ({
    name,
    cwd: join(root, folder),
    args: ['src/main.ts'],
    env: { ...common, ...env },
    readyUrl,
  });
  const service = (name: 'identity' | 'clinic' | 'pharmacy', env: Record<string, string> = {}): Program =>
    node(
      `svc-${name}`,
      `svc-${name}`,
      { PORT: String(ports[name]), MONGODB_URI: mongodbUri, MONGODB_DATABASE: name, IDENTITY_URL: local(ports.identity), ...env },
      `${local(ports[name])}/health/ready`,
    );
  const staticSite = (app: (typeof frontEnds)[number]): Program => ({
    name: app,
    cwd: join(root, app),
    args: [join(root, 'packages/static-server/src/main.ts')],
    env: { ...common, PORT: String(ports[app]), STATIC_DIR: join(root, app, 'dist') },
  });

  const foundations = [
    node('packages/auth-emulator', 'auth-emulator', { AUTH_EMULATOR_PORT: String(ports.auth), AUTH_EMULATOR_DATA_DIR: join(dataDir, 'auth') }),
  ];
  if (settings.mongodbUri === undefined) {
    foundations.unshift(
      node('packages/mongo-embedded', 'mongo', { MONGO_EMBEDDED_PORT: String(ports.mongo), MONGO_EMBEDDED_DATA_DIR: join(dataDir, 'mongo') }),
    );
  }
  const remotes = frontEnds.filter((app) => app !== 'shell');
  return [
    [...foundations, ...frontEnds.map(staticSite)],
    [
      service('identity', {
        SESSION_KEY_FILE: join(dataDir, 'secrets', 'session-key.json'),
        FIREBASE_AUTH_EMULATOR_HOST: `127.0.0.1:${ports.auth}`,
      }),
      service('clinic'),
      service('pharmacy'),
    ],
    [
      node(
        'gateway',
        'gateway',
        {
          PORT: String(ports.gateway),
          IDENTITY_URL: local(ports.identity),
          CLINIC_URL: local(ports.clinic),
          PHARMACY_URL: local(ports.pharmacy),
          SHELL_URL: local(ports.shell),
          REMOTES: remotes.map((name) => `${name}=${local(ports[name])}`).join(','),
          AUTH_EMULATOR_URL: local(ports.auth),
        },
        local(ports.gateway),
      ),
    ],
  ];
}
