import cluster from 'node:cluster';
import { fstatSync } from 'node:fs';
import { limitLookups } from '@clinic/graceful-server';
import { createLogger } from '@clinic/service-kit/log';
import { SettingsError } from '@clinic/service-kit/settings';
import { pino } from 'pino';
import type { ToWorker } from './cluster/messages.ts';
import { runPrimary } from './cluster/primary.ts';
import { Peers } from './cluster/peers.ts';
import { inBatches } from './log-batches.ts';
import { lookupThreads } from './replicas/lookup-threads.ts';
import { readGatewaySettings } from './settings.ts';

/**
 * Bytes of log lines that are written together. When several workers share a pipe, a write is limited to 4096 bytes, or
 * their lines would interleave (pipe(7)); writes to files and sockets stay whole at any size.
 */
const batchBytes = 65_536;
const batchBytesIntoSharedPipe = 4096;
const writeLogEveryMs = 250;

async function main(): Promise<void> {
  limitLookups();
  const settings = readGatewaySettings(process.env);
  const bytes = settings.WORKERS > 1 && fstatSync(1).isFIFO() ? batchBytesIntoSharedPipe : batchBytes;
  const destination = pino.destination({ dest: 1, sync: false, minLength: 1, maxWrite: bytes });
  const output = inBatches(destination, { bytes, everyMs: writeLogEveryMs });
  const all = createLogger('gateway', settings.LOG_LEVEL, output, settings.COMMIT);
  const log = cluster.worker ? all.child({ worker: cluster.worker.id }) : all;
  if (settings.WORKERS > 1 && cluster.isPrimary) return runPrimary(settings, log, output);
  // Before anything uses the threads.
  process.env['UV_THREADPOOL_SIZE'] = String(lookupThreads(settings, process.env['UV_THREADPOOL_SIZE']));
  // Imported late: the primary process doesn't forward requests, and stays small without this code.
  const { serve } = await import('./serve.ts');
  if (!cluster.worker) return serve(settings, log, output);
  const peers = new Peers((message) => process.connected && process.send?.(message));
  process.on('message', (message) => peers.take(message as ToWorker));
  return serve(settings, log, output, peers);
}

main().catch((error: unknown) => {
  console.error(error instanceof SettingsError ? error.message : error);
  process.exit(1);
});
