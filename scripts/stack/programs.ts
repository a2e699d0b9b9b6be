import { join } from 'node:path';
import { bundler, developedShell } from './domain.ts';
import { frontEnds, services } from './parts.ts';
import { root, type StackSettings } from './settings.ts';
import type { Program } from './supervisor.ts';

/**
 * A smaller young generation saves 100 MB in a service that sends a long list, and 40 MB in the gateway, without making
 * them slower.
 */
const lean = ['--max-semi-space-size=8', 'src/main.ts'];

/** Programs besides front-ends and services. */
export const foundations = ['mongo', 'auth'] as const;

/** Name of the port of the remote that is served while it changes. */
export const served = 'served';

/** Address under which people open the clinic: links in messages have it too, because a session belongs to one host. */
const publicAddress = (ports: Ports): string => `http://localhost:${ports.get('gateway')}`;

/** Address of the remote that is served while it changes. */
export const servedAddress = (ports: Ports): string => `http://127.0.0.1:${ports.get(served)}`;

/** Services whose messages svc-messages sends. */
const sources = ['identity', 'clinic', 'pharmacy'];

/** Ports of the stack by program, all on loopback; only the gateway's is for users. */
export type Ports = ReadonlyMap<string, number>;

/** Address of the stack's embedded database. */
export function embeddedUri(ports: Ports): string {
  return `mongodb://127.0.0.1:${ports.get('mongo')}/?replicaSet=rs0`;
}

/**
 * The clinic's programs on one machine, in layers: those of a layer start together, once the previous layer is ready.
 * docker-compose.yml runs the same programs as containers.
 */
export function programsOf(settings: StackSettings, ports: Ports): readonly (readonly Program[])[] {
  const { dataDir } = settings;
  const { portOf, local, node, service, staticSite } = makersOf(settings, ports);
  const emulator = node('stand-ins/auth-emulator', 'auth-emulator', {
    AUTH_EMULATOR_PORT: portOf('auth'),
    AUTH_EMULATOR_DATA_DIR: join(dataDir, 'auth'),
  });
  const database = node('stand-ins/mongo-embedded', 'mongo', {
    MONGO_EMBEDDED_PORT: portOf('mongo'),
    MONGO_EMBEDDED_DATA_DIR: join(dataDir, 'mongo'),
  });
  const remotes = frontEnds.filter((app) => app !== 'shell');
  const addresses = (names: readonly string[]): string => names.map((name) => `${name}=${local(name)}`).join(',');
  return [
    [
      ...(settings.mongodbUri === undefined ? [database] : []),
      emulator,
      ...frontEnds.map(staticSite),
      ...(settings.domain === undefined ? [] : [servedRemote(settings.domain, ports)]),
    ],
    [
      service('identity', {
        SESSION_KEY_FILE: join(dataDir, 'secrets', 'session-key.json'),
        FIREBASE_AUTH_EMULATOR_HOST: `127.0.0.1:${portOf('auth')}`,
      }),
      ...services
        .filter((name) => name !== 'identity')
        .map((name) => service(name, name === 'messages' ? { SOURCES: addresses(sources) } : {})),
    ],
    [
      {
        ...node(
          'gateway',
          'gateway',
          {
            PORT: portOf('gateway'),
            SERVICES: addresses(services),
            PUBLICATIONS_DIR: join(dataDir, 'publications'),
            SHELL_URL: local('shell'),
            REMOTES: addresses(remotes),
            AUTH_EMULATOR_URL: local('auth'),
            REMOTE_OVERRIDES: String(settings.remoteOverrides),
          },
          local('gateway'),
        ),
        args: lean,
      },
    ],
  ];
}

/** Serves a remote and sends each change to open pages. */
function servedRemote(remote: string, ports: Ports): Program {
  const args = [bundler, 'serve', String(ports.get(served))];
  return { name: `${remote}-served`, cwd: join(root, remote), args, env: { NODE_ENV: 'development' } };
}

/** How each kind of program is started. */
function makersOf(settings: StackSettings, ports: Ports) {
  const portOf = (name: string): string => String(ports.get(name));
  const local = (name: string): string => `http://127.0.0.1:${portOf(name)}`;
  const projectId = 'demo-clinic';
  const mongodbUri = settings.mongodbUri ?? embeddedUri(ports);
  const common = { HOST: '127.0.0.1', DEMO_MODE: 'true', NODE_ENV: 'development', FIREBASE_PROJECT_ID: projectId };

  const node = (folder: string, name: string, env: Record<string, string>, readyUrl?: string): Program => ({
    name,
    cwd: join(root, folder),
    args: ['src/main.ts'],
    env: { ...common, ...env },
    readyUrl,
  });
  const service = (name: string, env: Record<string, string> = {}): Program => ({
    ...node(
      `svc-${name}`,
      `svc-${name}`,
      {
        PORT: portOf(name),
        MONGODB_URI: mongodbUri,
        MONGODB_DATABASE: name,
        IDENTITY_URL: local('identity'),
        PUBLIC_URL: publicAddress(ports),
        ...env,
      },
      `${local(name)}/health/ready`,
    ),
    args: lean,
  });
  const staticSite = (app: string): Program => ({
    name: app,
    cwd: join(root, app),
    args: [join(root, 'packages/static-server/src/main.ts')],
    env: {
      ...common,
      PORT: portOf(app),
      STATIC_DIR: app === 'shell' && settings.domain !== undefined ? developedShell : join(root, app, 'dist'),
      SERVICE_NAME: app,
      // In watch mode, a developer's save isn't a release, and the browser shows the sources.
      ...(settings.watch
        ? { SOURCE_MAPS_DIR: join(root, app, 'maps') }
        : { RELEASES_DIR: join(settings.dataDir, 'releases', app) }),
    },
  });
  return { portOf, local, node, service, staticSite };
}
