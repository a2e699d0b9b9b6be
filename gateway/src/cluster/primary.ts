import cluster from 'node:cluster';
import { gracefully } from '@clinic/graceful-server';
import { writeOut, type LogDestination } from '@clinic/service-kit/log';
import type { Logger } from 'pino';
import { listen } from '../listen.ts';
import { createInternalServer } from '../metrics.ts';
import type { GatewaySettings } from '../settings.ts';
import { mergeHealth } from './merge-reports.ts';
import { WorkerPool } from './worker-pool.ts';

/** Milliseconds after which workers are killed; they normally exit before. */
const stopLimitMs = 9600;

/**
 * Runs the gateway as several processes that share its port. This one forwards no requests: it starts the workers,
 * replaces one that dies, relays their messages, and serves the operators.
 *
 * @throws Error if the workers can't be started the first time
 */
export async function runPrimary(settings: GatewaySettings, log: Logger, output: LogDestination): Promise<void> {
  // Round-robin by connection: left to the operating system, one worker gets most of them.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({ serialization: 'advanced' });
  const pool = new WorkerPool({ workers: settings.WORKERS, log, fork: () => cluster.fork() });
  const internal = createInternalServer({ contentType: pool.contentType, metrics: () => pool.metrics() }, async () =>
    mergeHealth(await pool.health(), settings.WORKERS),
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
      pool.kill();
      exit(0);
    }, stopLimitMs).unref();
    const failed = await pool.stop();
    await closeInternal();
    log.info('stopped');
    exit(failed ? 1 : 0);
  };
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.once(event, () => void stop(event));
  // Leave no workers behind, however this process ends.
  process.once('exit', () => pool.kill());

  const url = await pool.start();
  if (stopping) return;
  if (settings.METRICS_PORT !== 0) await listen(internal, settings.METRICS_PORT, settings.HOST);
  log.info({ url, workers: settings.WORKERS }, 'listening');
}
