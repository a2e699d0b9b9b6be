import cluster from 'node:cluster';
import { createLogger } from '@clinic/service-kit/log';
import { SettingsError } from '@clinic/service-kit/settings';
import { pino } from 'pino';
import type { ToWorker } from './cluster/messages.ts';
import { runPrimary } from './cluster/primary.ts';
import { Siblings } from './cluster/siblings.ts';
import { readGatewaySettings } from './settings.ts';

/**
 * The gateway writes a line for every request of the clinic: so many bytes at once, but none held back for longer than so
 * many milliseconds. What goes into a pipe at once may have 4096 bytes, or the lines of several workers would mix (pipe(7)).
 */
const logBytes = 3072;
const mostLogBytes = 4096;
const logFlushMs = 250;

async function main(): Promise<void> {
  const settings = readGatewaySettings(process.env);
  const output = pino.destination({ dest: 1, sync: false, minLength: logBytes, maxWrite: mostLogBytes, periodicFlush: logFlushMs });
  const all = createLogger('gateway', settings.LOG_LEVEL, output);
  const log = cluster.worker ? all.child({ worker: cluster.worker.id }) : all;
  if (settings.WORKERS > 1 && cluster.isPrimary) return runPrimary(settings, log, output);
  // The primary process forwards nothing, and needs little memory so.
  const { serve } = await import('./serve.ts');
  if (!cluster.worker) return serve(settings, log, output);
  const siblings = new Siblings((message) => process.connected && process.send?.(message));
  process.on('message', (message) => siblings.take(message as ToWorker));
  return serve(settings, log, output, siblings);
}

main().catch((error: unknown) => {
  console.error(error instanceof SettingsError ? error.message : error);
  process.exit(1);
});
