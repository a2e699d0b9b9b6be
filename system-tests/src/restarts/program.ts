import { programEnv } from '@clinic/service-kit/testing/program-env';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '..', '..', '..');

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

/**
 * Starts a program and waits until it logs that it is listening.
 *
 * @param folder - of the workspace with its `src/main.ts`, or an absolute path
 * @param onSpawn - gets the process before it listens
 * @param command - script and arguments
 * @throws Error with its output, if it exits first
 */
export async function startProgram(
  folder: string,
  env: Readonly<Record<string, string>>,
  onSpawn?: (child: ChildProcess) => void,
  command: readonly string[] = ['src/main.ts'],
): Promise<RunningProgram> {
  const child = spawn(process.execPath, command, {
    cwd: resolve(root, folder),
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
      reject(new Error(`${folder} ended with ${code}: ${errors}${JSON.stringify(log.slice(-5))}`)),
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
