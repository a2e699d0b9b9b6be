import type { AddressInfo } from 'node:net';
import { gracefully } from '@clinic/graceful-server';
import { writeOut, type LogDestination } from '@clinic/service-kit/log';
import { openTracing } from '@clinic/service-kit/tracing';
import type { Logger } from 'pino';
import type { Siblings } from './cluster/siblings.ts';
import { createGateway } from './gateway.ts';
import { listen } from './listen.ts';
import { createInternalServer } from './metrics.ts';
import type { GatewaySettings } from './settings.ts';

/** An ordinary stop may take so long, in milliseconds, before running answers are cut off; a worker leaves its primary time to end, too. */
const stopLimitMs = 9500;
const workerStopLimitMs = 9000;

/**
 * Runs a gateway in this process until it is told to stop.
 *
 * @param siblings - where this is one of several workers; operators ask the primary process then
 */
export async function serve(settings: GatewaySettings, log: Logger, output: LogDestination, siblings?: Siblings): Promise<void> {
  const tracing = await openTracing({ name: 'gateway', endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT, ratio: settings.OTEL_TRACES_SAMPLER_ARG, log });
  const gateway = createGateway({ settings, log, tracing, siblings });
  const internal = siblings || settings.METRICS_PORT === 0 ? undefined : createInternalServer(gateway.metrics.registry, () => gateway.health());
  const closeInternal = internal && gracefully(internal);

  let stopping = false;
  const stop = async (reason: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'stopping');
    const exit = (code: number): void => void writeOut(output).then(() => process.exit(code));
    setTimeout(() => exit(0), siblings ? workerStopLimitMs : stopLimitMs).unref();
    try {
      // Operators can watch the stop.
      await gateway.close();
      await closeInternal?.();
      await tracing?.close();
      log.info('stopped');
      exit(0);
    } catch (error) {
      log.error({ err: error }, 'stopping failed');
      exit(1);
    }
  };
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.once(event, () => void stop(event));
  siblings?.join(async () => ({ metrics: await gateway.metrics.registry.getMetricsAsJSON(), health: gateway.health() }), () => void stop('told to'));

  // The first answers must not depend on luck: services, shell and remotes that are up are known before we listen.
  await gateway.look();
  if (stopping) return;
  await listen(gateway.server, settings.PORT, settings.HOST);
  if (internal) await listen(internal, settings.METRICS_PORT, settings.HOST);
  const { port } = gateway.server.address() as AddressInfo;
  const url = `http://${settings.HOST}:${port}`;
  // With several workers the primary process says when all are there.
  if (siblings) log.info({ url, pid: process.pid }, 'worker listening');
  else log.info({ url }, 'listening');
  siblings?.listening(url);
  output.flush(() => undefined);
}
