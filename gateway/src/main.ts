import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger, writeOut } from '@clinic/service-kit/log';
import { SettingsError } from '@clinic/service-kit/settings';
import { pino } from 'pino';
import { createGateway } from './gateway.ts';
import { createInternalServer } from './metrics.ts';
import { readGatewaySettings } from './settings.ts';

/** The gateway writes a line for every request of the clinic: so many bytes at once, but none held back for longer than so many milliseconds. */
const logBytes = 4096;
const logFlushMs = 250;

/** An ordinary stop may take so long, in milliseconds, before running answers are cut off. */
const stopLimitMs = 8000;

async function main(): Promise<void> {
  const settings = readGatewaySettings(process.env);
  const output = pino.destination({ dest: 1, sync: false, minLength: logBytes, periodicFlush: logFlushMs });
  const log = createLogger('gateway', settings.LOG_LEVEL, output);
  const gateway = createGateway({ settings, log });
  // The first answers must not depend on luck: shell and remotes that are up are known before we listen.
  await gateway.look();
  const servers = [gateway.server];
  await listen(gateway.server, settings.PORT, settings.HOST);
  if (settings.METRICS_PORT !== 0) {
    const internal = createInternalServer(gateway.metrics, () => gateway.health());
    servers.push(internal);
    await listen(internal, settings.METRICS_PORT, settings.HOST);
  }
  const { port } = gateway.server.address() as AddressInfo;
  log.info({ url: `http://${settings.HOST}:${port}` }, 'listening');
  output.flush();

  let stopping = false;
  const stop = (reason: string): void => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'stopping');
    gateway.stop();
    const exit = (code: number): void => void writeOut(output).then(() => process.exit(code));
    setTimeout(() => exit(0), stopLimitMs).unref();
    Promise.all(servers.map(close)).then(
      () => exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed');
        exit(1);
      },
    );
  };
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.once(event, () => stop(event));
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())));
}

main().catch((error: unknown) => {
  console.error(error instanceof SettingsError ? error.message : error);
  process.exit(1);
});
