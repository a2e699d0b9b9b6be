import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { cookieNames } from '../auth/session-claims.ts';
import { testFetch, type TestFetch } from './index.ts';
import type { TestIssuer, TokenPerson } from './issuer.ts';
import { programEnv } from './program-env.ts';
import { waitUntil } from './wait-until.ts';

/** A line of a program's log. */
export type LogLine = Readonly<Record<string, unknown>>;

/** A program of the clinic in its own process, as in production. */
export interface RunningProgram {
  readonly child: ChildProcess;
  /** Its log so far. */
  readonly log: readonly LogLine[];
  /** Its other output; empty if all is well. */
  readonly errors: () => string;
  /** Asks it to stop. @returns exit code, or the signal that ended it */
  stop(): Promise<number | string>;
  /** Kills it, like a crash. */
  kill(): Promise<void>;
}

export interface ProgramOptions {
  /** Its folder. */
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
  /** Gets the process before it listens. */
  readonly onSpawn?: (child: ChildProcess) => void;
}

/**
 * Starts a program and waits until it logs that it is listening.
 *
 * @param command - script and arguments
 * @throws Error with its output, if it exits first
 */
export async function startProgram(
  command: readonly string[],
  { cwd, env, onSpawn }: ProgramOptions,
): Promise<RunningProgram> {
  const child = spawn(process.execPath, command, {
    cwd,
    env: programEnv(env),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  onSpawn?.(child);
  const log: LogLine[] = [];
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string);
  await new Promise<void>((resolve, reject) => {
    if (child.stdout) {
      createInterface({ input: child.stdout }).on('line', (text) => {
        const line = JSON.parse(text) as LogLine;
        log.push(line);
        if (line['msg'] === 'listening') resolve();
      });
    }
    void ended.then((code) =>
      reject(new Error(`${cwd ?? command.join(' ')} ended with ${code}: ${errors}${JSON.stringify(log.slice(-5))}`)),
    );
  });
  return {
    child,
    log,
    errors: () => errors,
    async stop() {
      child.kill('SIGTERM');
      return ended;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** What replicas of a service share. */
export interface Backends {
  readonly issuer: TestIssuer;
  readonly mongoUri: string;
  readonly database: string;
}

/** A service in its own process. */
export interface ServiceProcess extends RunningProgram {
  readonly url: string;
  /** Requests of a person. @param headers - of each */
  as(person: TokenPerson, headers?: Readonly<Record<string, string>>): TestFetch;
}

/**
 * Starts a service as one of several replicas, and waits until it is ready.
 *
 * @param main - path of its program
 * @param env - additional settings
 * @throws Error if it isn't ready in time; it is stopped then
 */
export async function startServiceProcess(
  main: string,
  { issuer, mongoUri, database }: Backends,
  env: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess> {
  const program = await startProgram([main], {
    env: {
      PORT: '0',
      NODE_ENV: 'test',
      IDENTITY_URL: issuer.url,
      MONGODB_URI: mongoUri,
      MONGODB_DATABASE: database,
      ...env,
    },
  });
  // The first line after it may be there by now.
  const url = String(program.log.find(({ msg }) => msg === 'listening')?.['url']);
  try {
    await waitUntil(async () => (await fetch(`${url}/health/ready`)).ok);
  } catch (error) {
    await program.kill();
    throw error;
  }
  return {
    ...program,
    url,
    as: (person, headers) => async (path, init) =>
      testFetch(url, { Cookie: `${cookieNames.access}=${await issuer.token(person)}`, ...headers })(path, init),
  };
}
