import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pino, type DestinationStream } from 'pino';
import { startStaticServer, type StaticServer } from '@clinic/static-server';
import { createGateway } from '../../../gateway/src/gateway.ts';
import { readGatewaySettings } from '../../../gateway/src/settings.ts';
import { startThreeServices, type ThreeServices, type ThreeServicesOptions } from './three-services.ts';

const root = join(import.meta.dirname, '../../..');
const remoteNames = ['mf-public', 'mf-clinic', 'mf-pharmacy', 'mf-admin'] as const;

/** The three services behind the real gateway, with the built front-ends. */
export interface WholeClinic {
  /** Of the gateway. */
  readonly url: string;
  readonly services: ThreeServices;
  close(): Promise<void>;
}

export interface WholeClinicOptions extends ThreeServicesOptions {
  /** Further settings of the gateway. */
  readonly gateway?: Readonly<Record<string, string>>;
  readonly gatewayLogTo?: DestinationStream;
}

/** Starts everything that visitors meet in one process; the front-ends must have been built. */
export async function startWholeClinic({ gateway: env = {}, gatewayLogTo, ...options }: WholeClinicOptions = {}): Promise<WholeClinic> {
  const services = await startThreeServices(options);
  const fronts: StaticServer[] = [];
  const front = async (app: string): Promise<string> => {
    const server = await startStaticServer({ directory: join(root, app, 'dist'), port: 0 });
    fronts.push(server);
    return server.url;
  };
  const remotes: string[] = [];
  for (const name of remoteNames) remotes.push(`${name}=${await front(name)}`);
  const settings = readGatewaySettings({
    NODE_ENV: 'test', DEMO_MODE: 'true', SERVICES: Object.entries(services.urls).map(([name, url]) => `${name}=${url}`).join(),
    SHELL_URL: await front('shell'), REMOTES: remotes.join(','), AUTH_EMULATOR_URL: services.emulatorUrl, PUBLIC_URL: 'http://clinic.example', ...env,
  });
  const log = gatewayLogTo ? pino({ level: 'trace' }, gatewayLogTo) : pino({ level: 'silent' });
  const gateway = createGateway({ settings, log });
  await gateway.look();
  gateway.server.listen(0, '127.0.0.1');
  await once(gateway.server, 'listening');
  const { port } = gateway.server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    services,
    async close() {
      gateway.server.closeAllConnections();
      await gateway.close();
      await Promise.all(fronts.map((server) => server.close()));
      await services.close();
    },
  };
}
