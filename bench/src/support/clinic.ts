import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { holdPort } from '@clinic/service-kit/testing/hold-port';

const root = path.join(import.meta.dirname, '..', '..', '..');

/** Timeout in seconds for a start that has to build all front-ends. */
const startWithin = 240;

/** The whole application with its demo data, as `npm start` runs it. */
export interface Clinic {
  readonly url: string;
  /** Milliseconds from the command until the public address answered. */
  readonly startedIn: number;
  /** Of the process that runs all others. */
  readonly pid: number;
  stop(): Promise<void>;
}

/**
 * Starts the application on a free port.
 *
 * @param dataDir where to keep its data
 * @throws Error when it doesn't start
 */
export async function startClinic(dataDir: string): Promise<Clinic> {
  const port = await holdPort();
  const began = performance.now();
  // A server used for measuring a million records must not get demo data.
  const { MONGODB_URI: _, ...env } = process.env;
  const child = spawn(process.execPath, [path.join(root, 'scripts', 'stack', 'main.ts')], {
    cwd: root,
    env: { ...env, PORT: String(port), DATA_DIR: dataDir, STARTED_AT: String(Date.now()) },
    // With an IPC channel it stops when this process exits.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  const collect = (chunk: Buffer): void => void (output += chunk.toString());
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  const url = `http://localhost:${port}`;
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`The clinic could not be started:\n${output}`);
    if (performance.now() - began > startWithin * 1000) {
      await end(child);
      throw new Error(`The clinic did not start within ${startWithin} s:\n${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { url, startedIn: performance.now() - began, pid: child.pid ?? 0, stop: () => end(child) };
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    async (answer) => {
      await answer.body?.cancel();
      return answer.ok;
    },
    // Not up yet, keep waiting.
    () => false,
  );
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

let shared: Promise<{ readonly clinic: Clinic; readonly dataDir: string }> | undefined;

/** The clinic shared by all areas that need one; started on first use. */
export async function sharedClinic(say: (text: string) => void): Promise<Clinic> {
  shared ??= (async () => {
    say('starting a clinic …');
    const dataDir = mkdtempSync(path.join(tmpdir(), 'clinic-bench-'));
    return { clinic: await startClinic(dataDir), dataDir };
  })();
  return (await shared).clinic;
}

/** Stops the shared clinic, if there is one, and removes its data. */
export async function stopSharedClinic(): Promise<void> {
  if (!shared) return;
  const { clinic, dataDir } = await shared;
  shared = undefined;
  await clinic.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
