import cluster from 'node:cluster';
import { gracefully } from '@clinic/graceful-server';
import { writeOut, type LogDestination } from '@clinic/service-kit/log';
import type { Logger } from 'pino';
import { listen } from '../listen.ts';
import { createInternalServer } from '../metrics.ts';
import type { GatewaySettings } from '../settings.ts';
import { mergeHealth } from './merge-reports.ts';
import { Workforce } from './workforce.ts';

/** Milliseconds that all workers have to stop: they end by themselves before. */
const stopLimitMs = 9600;

/**
 * Runs the gateway as several processes that share its port; this one forwards nothing. It starts them, replaces one that
 * dies, brings them word of each other, and answers operators for all.
 *
 * @throws Error when the workers can't be started the first time
 */
export async function runPrimary(settings: GatewaySettings, log: Logger, output: LogDestination): Promise<void> {
  // In turn, connection by connection: the system's own way leaves most of them to one.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({ serialization: 'advanced' });
  const workforce = new Workforce({ workers: settings.WORKERS, log, fork: () => cluster.fork() });
  const internal = createInternalServer(
    { contentType: workforce.contentType, metrics: () => workforce.metrics() },
    async () => mergeHealth(await workforce.health(), settings.WORKERS),
  );
  const closeInternal = gracefully(internal);

  let stopping = false;
  const stop = async (reason: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'stopping');
    const exit = (code: number): void => void writeOut(output).then(() => process.exit(code));
    setTimeout(() => {
      log.warn('workers did not stop in time');
      workforce.kill();
      exit(0);
    }, stopLimitMs).unref();
    const failed = await workforce.stop();
    await closeInternal();
    log.info('stopped');
    exit(failed ? 1 : 0);
  };
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.once(event, () => void stop(event));
  // However this process ends, none of them is left behind.
  process.once('exit', () => workforce.kill());

  const url = await workforce.start();
  if (stopping) return;
  if (settings.METRICS_PORT !== 0) await listen(internal, settings.METRICS_PORT, settings.HOST);
  log.info({ url, workers: settings.WORKERS }, 'listening');
}
