import { limitLookups } from '@clinic/graceful-server';
import type { ServiceDefinition } from './definition.ts';
import { standardOutput, writeOut } from './observability/log.ts';
import { SettingsError, type SettingsSpec } from './settings/settings.ts';
import { startService } from './start-service.ts';

/** Milliseconds after which shutdown is forced. */
const stopWithin = 10_000;

/**
 * Runs a service as this process: starts it, and shuts it down cleanly on SIGTERM, SIGINT, or when the parent process
 * dies. Invalid settings exit with one line and code 1.
 */
export async function runService<Name extends string, Spec extends SettingsSpec, Parts>(
  definition: ServiceDefinition<Name, Spec, Parts>,
): Promise<void> {
  limitLookups();
  const logTo = standardOutput();
  const stop = new AbortController();
  const requested = new Promise<void>((resolve) =>
    stop.signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  const askToStop = (): void => {
    stop.abort();
    setTimeout(() => void writeOut(logTo).then(() => process.exit(1)), stopWithin).unref();
  };
  process.once('SIGTERM', askToStop).once('SIGINT', askToStop).once('disconnect', askToStop);

  const end = async (code: number, message?: string): Promise<never> => {
    await writeOut(logTo);
    if (message !== undefined) process.stderr.write(`${message}\n`);
    return process.exit(code);
  };
  try {
    const service = await startService(definition, {
      env: process.env,
      logTo,
      signal: stop.signal,
      processMetrics: true,
    });
    await requested;
    await service.close();
  } catch (error) {
    if (stop.signal.aborted) await end(0);
    await end(
      1,
      `svc-${definition.name}: ${error instanceof SettingsError ? error.message : String((error as Error).stack ?? error)}`,
    );
  }
  await end(0);
}
