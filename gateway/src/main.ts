import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gracefully } from '@clinic/graceful-server';
import { createLogger, writeOut } from '@clinic/service-kit/log';
import { SettingsError } from '@clinic/service-kit/settings';
import { openTracing } from '@clinic/service-kit/tracing';
import { pino } from 'pino';
import { createGateway } from './gateway.ts';
import { createInternalServer } from './metrics.ts';
import { readGatewaySettings } from './settings.ts';

/** The gateway writes a line for every request of the clinic: so many bytes at once, but none held back for longer than so many milliseconds. */
const logBytes = 4096;
const logFlushMs = 250;

/** An ordinary stop may take so long, in milliseconds, before running answers are cut off. */
const stopLimitMs = 9500;

async function main(): Promise<void> {
  const settings = readGatewaySettings(process.env);
  const output = pino.destination({ dest: 1, sync: false, minLength: logBytes, periodicFlush: logFlushMs });
  const log = createLogger('gateway', settings.LOG_LEVEL, output);
  const tracing = await openTracing({ name: 'gateway', endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT, ratio: settings.OTEL_TRACES_SAMPLER_ARG, log });
  const gateway = createGateway({ settings, log, tracing });
  const internal = createInternalServer(gateway.metrics, () => gateway.health());
  const closeInternal = gracefully(internal);

  let stopping = false;
  const stop = async (reason: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'stopping');
    const exit = (code: number): void => void writeOut(output).then(() => process.exit(code));
    setTimeout(() => exit(0), stopLimitMs).unref();
    try {
      // Operators can watch the stop.
      await gateway.close();
      await closeInternal();
      await tracing?.close();
      log.info('stopped');
      exit(0);
    } catch (error) {
      log.error({ err: error }, 'stopping failed');
      exit(1);
    }
  };
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.once(event, () => void stop(event));

  // The first answers must not depend on luck: services, shell and remotes that are up are known before we listen.
  await gateway.look();
  if (stopping) return;
  await listen(gateway.server, settings.PORT, settings.HOST);
  if (settings.METRICS_PORT !== 0) await listen(internal, settings.METRICS_PORT, settings.HOST);
  const { port } = gateway.server.address() as AddressInfo;
  log.info({ url: `http://${settings.HOST}:${port}` }, 'listening');
  output.flush();
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}

main().catch((error: unknown) => {
  console.error(error instanceof SettingsError ? error.message : error);
  process.exit(1);
});
