import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import path from 'node:path';
import { holdPort } from '@clinic/service-kit/testing/hold-port';
import type { AreaContext } from './area.ts';
import { cpuSecondsOf, familyOf, peakMemoryOf } from './processes.ts';

/** A server in its own process. */
export interface Program {
  readonly url: string;
  /** Processor time used so far by it and its workers, seconds. */
  readonly cpuSeconds: () => number;
  /** Its own peak memory so far, bytes. */
  readonly peakMemory: () => number;
  readonly stop: () => Promise<void>;
}

export interface ProgramOptions {
  readonly env?: Readonly<NodeJS.ProcessEnv>;
  /** Default: a free one. */
  readonly port?: number;
  /** A program other than Node, e.g. nginx, with its arguments. */
  readonly command?: readonly [string, ...string[]];
  /** Arguments to Node, before the file. */
  readonly nodeOptions?: readonly string[];
  /** A path that answers once the program is ready; without one, any answer to `/` counts. */
  readonly readyPath?: string;
}

/** Milliseconds until a program must first answer. */
const startWithin = 30_000;

/** Milliseconds a program has to stop before it is killed. */
const stopWithin = 10_000;

const root = path.join(import.meta.dirname, '..', '..', '..');

/** Settings for starting services and gateway (scripts/stack/programs.ts). */
export const serviceOptions = ['--max-semi-space-size=8'];

/** For internal calls. */
export const internalSecret = 'secret-of-the-internal-calls-in-benches';

const running = new Set<ChildProcess>();

/** Registers a process to be ended with this one. */
export function endWithUs(child: ChildProcess): void {
  running.add(child);
  child.once('exit', () => running.delete(child));
}

/** Kills everything still running: a benchmark leaves nothing behind, however it ends. */
export function killPrograms(): void {
  for (const child of running) child.kill('SIGKILL');
}

/**
 * Starts a server on the loopback and waits until it answers. It stops when the area ends.
 *
 * @param file of its program, relative to the repository; not used with `command`
 * @throws Error when it exits or doesn't answer in time
 */
export async function startProgram(
  { after }: Pick<AreaContext, 'after'>,
  file: string,
  { env = {}, port: given, command, nodeOptions = [], readyPath }: ProgramOptions = {},
): Promise<Program> {
  const port = given ?? (await holdPort());
  // Logs are written as in operation, but reading them must not cost processor time.
  const log = openSync('/dev/null', 'w');
  const [executable, ...args] = command ?? [process.execPath, ...nodeOptions, path.join(root, file)];
  const child = spawn(executable, args, {
    // As `npm start` does: with the compile cache.
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: path.join(root, '.cache', 'compiled'),
      ...env,
      HOST: '127.0.0.1',
      PORT: String(port),
    },
    // With an IPC channel, Node programs stop when this process exits.
    stdio: command ? ['ignore', log, 'inherit'] : ['ignore', log, 'inherit', 'ipc'],
  });
  endWithUs(child);
  const url = `http://127.0.0.1:${port}`;
  await untilAnswering(child, url, readyPath);
  const pid = child.pid ?? 0;
  const program: Program = {
    url,
    cpuSeconds: () => cpuSecondsOf(familyOf(pid)),
    peakMemory: () => peakMemoryOf(pid),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      const killer = setTimeout(() => child.kill('SIGKILL'), stopWithin);
      await exited;
      clearTimeout(killer);
    },
  };
  after(() => program.stop());
  return program;
}

/** Where a service is and what it needs. */
export interface ServiceParts {
  readonly uri: string;
  readonly database: string;
  readonly identityUrl: string;
}

/** Settings of a service as in operation. */
export const serviceEnv = (
  { uri, database, identityUrl }: ServiceParts,
  more: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> => ({
  MONGODB_URI: uri,
  MONGODB_DATABASE: database,
  IDENTITY_URL: identityUrl,
  INTERNAL_SECRET: internalSecret,
  LOG_LEVEL: 'info',
  NODE_ENV: 'production',
  COOKIE_SECURE: 'false',
  ...more,
});

/** Starts a service as in operation. @param file of its program, relative to the repository */
export function startService(
  context: Pick<AreaContext, 'after'>,
  file: string,
  parts: ServiceParts,
  env: Readonly<Record<string, string>> = {},
): Promise<Program> {
  return startProgram(context, file, {
    nodeOptions: serviceOptions,
    readyPath: '/health/ready',
    env: serviceEnv(parts, env),
  });
}

async function untilAnswering(child: ChildProcess, url: string, readyPath: string | undefined): Promise<void> {
  const deadline = performance.now() + startWithin;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`A program for ${url} ended with ${child.exitCode}`);
    try {
      const answer = await fetch(url + (readyPath ?? '/'));
      await answer.body?.cancel();
      if (readyPath === undefined || answer.ok) return;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`A program for ${url} did not answer within ${startWithin / 1000} s`);
}
