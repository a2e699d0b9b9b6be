import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createGateway } from '../../../gateway/src/gateway.ts';
import { readGatewaySettings } from '../../../gateway/src/settings.ts';
import type { ThreeServices } from './three-services.ts';

/**
 * Starts a gateway in front of the services, without pages.
 *
 * @param env - further settings
 * @param options - its log, and its tracing if it has any
 */
export async function startPagelessGateway(
  services: Pick<ThreeServices, 'urls' | 'emulatorUrl'>,
  options: Omit<Parameters<typeof createGateway>[0], 'settings'>,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const nobody = 'http://127.0.0.1:9';
  const gateway = createGateway({
    ...options,
    settings: readGatewaySettings({
      NODE_ENV: 'test',
      DEMO_MODE: 'true',
      SERVICES: Object.entries(services.urls)
        .map(([name, url]) => `${name}=${url}`)
        .join(),
      SHELL_URL: nobody,
      REMOTES: `mf-public=${nobody}`,
      AUTH_EMULATOR_URL: services.emulatorUrl,
      ...env,
    }),
  });
  await gateway.poll();
  gateway.server.listen(0, '127.0.0.1');
  await once(gateway.server, 'listening');
  const { port } = gateway.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => gateway.close() };
}
