import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pino, type DestinationStream } from 'pino';
import { startStaticServer } from '@clinic/static-server';
import { createGateway } from '../../../gateway/src/gateway.ts';
import { readGatewaySettings } from '../../../gateway/src/settings.ts';
import { startThreeServices, type ThreeServices, type ThreeServicesOptions } from './three-services.ts';

const root = join(import.meta.dirname, '../../..');
const remoteNames = ['mf-public', 'mf-clinic', 'mf-pharmacy', 'mf-admin'] as const;

/** A listening gateway. */
export interface RunningGateway {
  readonly url: string;
  close(): Promise<void>;
}

/** The three services behind the real gateway, with the built front-ends. */
export interface WholeClinic extends RunningGateway {
  readonly services: ThreeServices;
  /** Settings of its gateway that name services and remotes; a test may add to them. */
  readonly addresses: { readonly SERVICES: string; readonly REMOTES: string };
  /** Another gateway in front of the same services and front-ends. @param env - its extra settings */
  openGateway(env: Readonly<Record<string, string>>): Promise<RunningGateway>;
}

export interface WholeClinicOptions extends ThreeServicesOptions {
  readonly gatewayLogTo?: DestinationStream;
}

/** Starts everything that visitors use, in one process; the front-ends must have been built. */
export async function startWholeClinic({ gatewayLogTo, ...options }: WholeClinicOptions = {}): Promise<WholeClinic> {
  await using begun = new AsyncDisposableStack();
  const services = await startThreeServices(options);
  begun.defer(() => services.close());
  const front = async (app: string): Promise<string> => {
    const server = await startStaticServer({ directory: join(root, app, 'dist'), port: 0 });
    begun.defer(() => server.close());
    return server.url;
  };
  const remotes: string[] = [];
  for (const name of remoteNames) remotes.push(`${name}=${await front(name)}`);
  const addresses = {
    SERVICES: Object.entries(services.urls)
      .map(([name, url]) => `${name}=${url}`)
      .join(),
    REMOTES: remotes.join(','),
  };
  const shared = {
    ...addresses,
    NODE_ENV: 'test',
    DEMO_MODE: 'true',
    SHELL_URL: await front('shell'),
    AUTH_EMULATOR_URL: services.emulatorUrl,
    PUBLIC_URL: 'http://clinic.example',
  };
  const log = gatewayLogTo ? pino({ level: 'trace' }, gatewayLogTo) : pino({ level: 'silent' });
  const openGateway = async (env: Readonly<Record<string, string>>): Promise<RunningGateway> => {
    const gateway = createGateway({
      settings: readGatewaySettings({ ...shared, ...env }),
      log,
      // Longer than a busy machine needs.
      htmlWithinMs: 30_000,
    });
    const close = (): Promise<void> => {
      gateway.server.closeAllConnections();
      return gateway.close();
    };
    await using opened = new AsyncDisposableStack();
    opened.defer(close);
    await gateway.poll();
    gateway.server.listen(0, '127.0.0.1');
    await once(gateway.server, 'listening');
    const { port } = gateway.server.address() as AddressInfo;
    opened.move();
    return { url: `http://127.0.0.1:${port}`, close };
  };
  const publicGateway = await openGateway({});
  begun.defer(() => publicGateway.close());
  const running = begun.move();
  return {
    url: publicGateway.url,
    services,
    addresses,
    openGateway,
    close: () => running.disposeAsync(),
  };
}
