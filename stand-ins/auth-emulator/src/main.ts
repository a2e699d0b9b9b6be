/** Runs the emulator as a process; see README.md for its settings. */
import { setFlagsFromString } from 'node:v8';
import type { AuthEmulator } from './index.ts';
import { readSettings } from './settings.ts';

let emulator: AuthEmulator | undefined;

process.on('SIGTERM', stop);
process.on('SIGINT', stop);
// The parent process with the IPC channel has exited, perhaps while this one was still loading.
process.on('disconnect', stop);
if (process.connected === false) stop();
// The reader of our output may have exited too.
process.stdout.on('error', () => {});

try {
  // Compiling schemas creates a lot of short-lived garbage: this halves the process's memory, from 370 to 180 MB. It
  // must be set before the emulator is loaded; with a command-line flag, every way to start it would have to repeat it.
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
  // There is nothing to save yet.
  if (!emulator) process.exit(0);
  emulator.close().then(() => process.exit(0), fail);
}

function fail(error: unknown): never {
  process.stderr.write(`auth-emulator: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
