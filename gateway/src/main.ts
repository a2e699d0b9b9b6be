import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { gracefully, limitLookups } from '@clinic/graceful-server';
import { batchedOutput, createLogger, writeOut } from '@clinic/service-kit/log';
import { SettingsError } from '@clinic/service-kit/settings';
import { openTracing } from '@clinic/service-kit/tracing';
import { createGateway } from './gateway.ts';
import { createInternalServer } from './operators/operators-server.ts';
import { readGatewaySettings } from './settings.ts';

/** Milliseconds after which a stop cuts off responses in flight. */
const stopLimitMs = 9500;

/** Runs the gateway until it receives a stop signal. */
async function main(): Promise<void> {
  limitLookups();
  const settings = readGatewaySettings(process.env);
  const output = batchedOutput();
  const log = createLogger('gateway', settings.LOG_LEVEL, output, settings.COMMIT);
  // Before anything uses the threads. A lookup that isn't answered can't be cancelled and takes its thread for many seconds, and
  // libuv leaves lookups half of them: enough for every name, several times at once.
  process.env['UV_THREADPOOL_SIZE'] ??= '64';
  const tracing = await openTracing({
    name: 'gateway',
    endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
    ratio: settings.OTEL_TRACES_SAMPLER_ARG,
    log,
  });
  const gateway = createGateway({ settings, log, tracing });
  const internal = createInternalServer(gateway);
  const closeInternal = gracefully(internal);

  let stopping = false;
  const stop = async (reason: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'stopping');
    const exit = (code: number): void => void writeOut(output).then(() => process.exit(code));
    setTimeout(() => exit(0), stopLimitMs).unref();
    try {
      // The operators' server closes last, so that operators can watch the stop.
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

  // Find the services, shell and remotes that are up before we listen, so that the first responses don't depend on
  // timing.
  await gateway.poll();
  if (stopping) return;
  await listen(gateway.server, settings.PORT, settings.HOST);
  if (settings.METRICS_PORT !== 0) await listen(internal, settings.METRICS_PORT, settings.HOST);
  const { port } = gateway.server.address() as AddressInfo;
  log.info({ url: `http://${settings.HOST}:${port}` }, 'listening');
}

/** @throws Error if it can't listen, e.g. because the port is taken */
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
