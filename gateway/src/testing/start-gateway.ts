import type { AddressInfo } from 'node:net';
import { pages, redirects } from '@clinic/contracts/pages';
import { contractVersion, type RemoteDescriptor } from '@clinic/contracts/remotes';
import { pino } from 'pino';
import { createGateway, type Gateway } from '../gateway.ts';
import { readGatewaySettings } from '../settings.ts';
import { echo, serve, type TestServer } from './servers.ts';

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

/** What `mf-clinic` publishes. */
export function clinicRemote(version = '1.0.0'): RemoteDescriptor {
  return {
    name: 'mf-clinic', container: 'mf_clinic', version, contractVersion, title: 'Appointments', pages: pages['mf-clinic'], redirects: redirects['mf-clinic'],
    preload: ['entry.0123.js'], styles: ['module.0123.css'],
  };
}

/** What `mf-public` publishes. */
export const publicRemote: RemoteDescriptor = { ...clinicRemote(), name: 'mf-public', container: 'mf_public', pages: pages['mf-public'], redirects: redirects['mf-public'] };

export interface TestGateway {
  readonly url: string;
  readonly gateway: Gateway;
  close(): Promise<void>;
}

/** A gateway on a free port before echoing services, a shell and `mf-public`; everything else as `env` says. */
export async function startGateway(env: Record<string, string> = {}, answerWithinMs?: number): Promise<TestGateway> {
  const servers: TestServer[] = [];
  const start = async (listener: Parameters<typeof serve>[0]): Promise<string> => {
    const server = await serve(listener);
    servers.push(server);
    return server.url;
  };
  const settings = readGatewaySettings({
    IDENTITY_URL: await start(echo('identity')),
    CLINIC_URL: await start(echo('clinic')),
    PHARMACY_URL: await start(echo('pharmacy')),
    SHELL_URL: await start((_req, res) => res.end(shellHtml)),
    REMOTES: `mf-public=${await start((_req, res) => res.end(JSON.stringify(publicRemote)))}`,
    AUTH_EMULATOR_URL: await start(echo('emulator')),
    DEMO_MODE: 'true',
    ...env,
  });
  const gateway = createGateway({ settings, log: pino({ level: 'silent' }), answerWithinMs });
  await gateway.look();
  await new Promise<void>((resolve) => gateway.server.listen(0, '127.0.0.1', resolve));
  const { port } = gateway.server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    gateway,
    async close() {
      gateway.stop();
      gateway.server.closeAllConnections();
      await new Promise<void>((resolve, reject) => gateway.server.close((error) => (error ? reject(error) : resolve())));
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}
