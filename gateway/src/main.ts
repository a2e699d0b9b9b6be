import cluster from 'node:cluster';
import { fstatSync } from 'node:fs';
import { createLogger } from '@clinic/service-kit/log';
import { SettingsError } from '@clinic/service-kit/settings';
import { pino } from 'pino';
import type { ToWorker } from './cluster/messages.ts';
import { runPrimary } from './cluster/primary.ts';
import { Siblings } from './cluster/siblings.ts';
import { readGatewaySettings } from './settings.ts';

/**
 * The gateway writes a line for every request of the clinic: so many bytes at once, as each write costs as much as a few
 * requests, but none held back for longer than so many milliseconds. What several workers write into one pipe at once may
 * have 4096 bytes, or their lines would mix (pipe(7)); into files and sockets whatever is written at once goes together.
 */
const usual = { minLength: 12_288 };
const intoSharedPipe = { minLength: 3072, maxWrite: 4096 };
const logFlushMs = 250;

async function main(): Promise<void> {
  const settings = readGatewaySettings(process.env);
  const output = pino.destination({ dest: 1, sync: false, periodicFlush: logFlushMs, ...(settings.WORKERS > 1 && fstatSync(1).isFIFO() ? intoSharedPipe : usual) });
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
