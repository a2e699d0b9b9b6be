import type { AddressInfo } from 'node:net';
import { contractVersion, type RemoteDescriptor } from '@clinic/contracts/remotes';
import { pino } from 'pino';
import clinic from '../../../mf-clinic/remote.config.ts';
import publicPages from '../../../mf-public/remote.config.ts';
import type { GatewayOptions } from '../context.ts';
import { createGateway, type Gateway } from '../gateway.ts';
import { readGatewaySettings } from '../settings.ts';
import { rememberedClinic } from './remembered.ts';
import { ask, echo, serve, type Answer, type Sent, type TestServer } from './servers.ts';

export const shellHtml = `<!doctype html>
<html lang="en">
  <head>
    <title>Clinic</title>
    <meta name="description" content="A clinic">
    <link rel="preload" href="/shell/host.js" as="script" data-for="remotes">
    <link rel="preload" href="/shell/login.js" as="script" data-for="/login">
  </head>
  <body></body>
</html>`;

export const digest = `sha256-${'A'.repeat(43)}=`;

/** What `mf-clinic` publishes. */
export function clinicRemote(version = '1.0.0'): RemoteDescriptor {
  return {
    name: 'mf-clinic',
    container: 'mf_clinic',
    version,
    contractVersion,
    title: 'Appointments',
    pages: clinic.pages,
    redirects: clinic.redirects,
    preload: ['entry.0123.js'],
    styles: ['module.0123.css'],
    integrity: { 'entry.0123.js': digest, 'module.0123.css': digest },
  };
}

/** What `mf-public` publishes. */
export const publicRemote: RemoteDescriptor = {
  ...clinicRemote(),
  name: 'mf-public',
  container: 'mf_public',
  pages: publicPages.pages,
  redirects: publicPages.redirects,
};

/** Closed by `await using` at the end of a test. */
export interface TestGateway extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly gateway: Gateway;
  /** Sends a request to it. */
  ask(path: string, init?: Sent): Promise<Answer>;
  close(): Promise<void>;
}

export interface TestGatewayOptions extends Partial<Omit<GatewayOptions, 'settings' | 'log'>> {
  /** Addresses of services, separated by `|` if there are several; services that aren't named echo their requests. */
  readonly services?: Readonly<Record<string, string>>;
  /** Called with each log line. */
  readonly onLog?: (line: Record<string, unknown>) => void;
}

/** Settings of a clinic with a real Firebase project. */
export const realProject = {
  AUTH_EMULATOR_URL: '',
  FIREBASE_API_KEY: 'key',
  FIREBASE_PROJECT_ID: 'clinic',
  DEMO_MODE: 'false',
};

/**
 * A gateway on a free port in front of echo services that it remembers, a shell and `mf-public`; `env` sets everything
 * else.
 */
export async function startGateway(
  env: Record<string, string> = {},
  { services = {}, onLog, ...options }: TestGatewayOptions = {},
): Promise<TestGateway> {
  const servers: TestServer[] = [];
  const start = async (listener: Parameters<typeof serve>[0]): Promise<string> => {
    const server = await serve(listener);
    servers.push(server);
    return server.url;
  };
  const all: Record<string, string> = { identity: '', clinic: '', pharmacy: '', ...services };
  for (const [name, url] of Object.entries(all)) if (url === '') all[name] = await start(echo(name));
  const remembered = rememberedClinic();
  const settings = readGatewaySettings({
    PUBLICATIONS_DIR: remembered.path,
    SERVICES: Object.entries(all)
      .map(([name, urls]) => `${name}=${urls}`)
      .join(),
    SHELL_URL: await start((_req, res) => res.end(shellHtml)),
    REMOTES: `mf-public=${await start((_req, res) => res.end(JSON.stringify(publicRemote)))}`,
    AUTH_EMULATOR_URL: await start(echo('emulator')),
    DEMO_MODE: 'true',
    ...env,
  });
  const log = onLog
    ? pino({ level: 'debug' }, { write: (line) => onLog(JSON.parse(line) as Record<string, unknown>) })
    : pino({ level: 'silent' });
  const gateway = createGateway({ settings, log, ...options });
  await gateway.poll();
  await new Promise<void>((resolve) => gateway.server.listen(0, '127.0.0.1', resolve));
  const { port } = gateway.server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    gateway.server.closeAllConnections();
    await gateway.close();
    await Promise.all(servers.map((server) => server.close()));
    remembered.remove();
  };
  const url = `http://127.0.0.1:${port}`;
  return { url, port, gateway, ask: (path, init) => ask(url, path, init), close, [Symbol.asyncDispose]: close };
}
