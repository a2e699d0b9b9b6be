/** The emulator as a process of its own; see README.md for its settings. */
import { setFlagsFromString } from 'node:v8';
import type { AuthEmulator } from './index.ts';
import { readSettings } from './settings.ts';

let emulator: AuthEmulator | undefined;

process.on('SIGTERM', stop);
process.on('SIGINT', stop);
// The process that started this one over IPC is gone, perhaps already while this one was loading.
process.on('disconnect', stop);
if (process.connected === false) stop();
// Whoever read the output may be gone too.
process.stdout.on('error', () => {});

try {
  // Compiling schemas makes much short-lived garbage: this halves the process's memory, from 370 to 180 MB. It is set
  // before the emulator is loaded; a flag on the command line would have to be repeated by everyone who starts it.
  setFlagsFromString('--optimize-for-size');
  const { startAuthEmulator } = await import('./index.ts');
  const settings = readSettings(process.env);
  emulator = await startAuthEmulator(settings);
  const { url, port } = emulator;
  process.stdout.write(`${JSON.stringify({ msg: 'listening', url, port, projectId: settings.projectId })}\n`);
} catch (error) {
  fail(error);
}

function stop(): void {
  // Before it listens, nothing has changed that would have to be written.
  if (!emulator) process.exit(0);
  emulator.close().then(() => process.exit(0), fail);
}

function fail(error: unknown): never {
  process.stderr.write(`auth-emulator: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
