import type { AddressInfo } from 'node:net';
import { gracefully } from '@clinic/graceful-server';
import { writeOut, type LogDestination } from '@clinic/service-kit/log';
import { openTracing } from '@clinic/service-kit/tracing';
import type { Logger } from 'pino';
import type { Peers } from './cluster/peers.ts';
import { createGateway } from './gateway.ts';
import { listen } from './listen.ts';
import { createInternalServer } from './metrics.ts';
import { lookUpHost } from './replicas/resolve.ts';
import type { GatewaySettings } from './settings.ts';

/**
 * Milliseconds after which a stop cuts off responses in flight. A worker stops earlier, so that its primary can finish.
 */
const stopLimitMs = 9500;
const workerStopLimitMs = 9000;

/**
 * Runs a gateway in this process until it receives a stop signal.
 *
 * @param peers - set if this is one of several workers; the primary process then serves the operators
 */
export async function serve(
  settings: GatewaySettings,
  log: Logger,
  output: LogDestination,
  peers?: Peers,
): Promise<void> {
  const tracing = await openTracing({
    name: 'gateway',
    endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
    ratio: settings.OTEL_TRACES_SAMPLER_ARG,
    lookup: lookUpHost,
    log,
  });
  const gateway = createGateway({ settings, log, tracing, peers });
  const internal =
    peers || settings.METRICS_PORT === 0
      ? undefined
      : createInternalServer(gateway.metrics.registry, () => gateway.health(), gateway.targets);
  const closeInternal = internal && gracefully(internal);

  let stopping = false;
  const stop = async (reason: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'stopping');
    const exit = (code: number): void => void writeOut(output).then(() => process.exit(code));
    setTimeout(() => exit(0), peers ? workerStopLimitMs : stopLimitMs).unref();
    try {
      // The operators' server closes last, so that operators can watch the stop.
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
  peers?.join(
    async () => ({ metrics: await gateway.metrics.registry.getMetricsAsJSON(), health: gateway.health() }),
    () => void stop('stopped by the primary'),
  );

  // Find the services, shell and remotes that are up before we listen, so that the first responses don't depend on
  // timing.
  await gateway.poll();
  if (stopping) return;
  await listen(gateway.server, settings.PORT, settings.HOST);
  if (internal) await listen(internal, settings.METRICS_PORT, settings.HOST);
  const { port } = gateway.server.address() as AddressInfo;
  const url = `http://${settings.HOST}:${port}`;
  // With several workers, the primary process logs when all are listening.
  if (peers) log.info({ url, pid: process.pid }, 'worker listening');
  else log.info({ url }, 'listening');
  peers?.listening(url);
  output.flush(() => undefined);
}
