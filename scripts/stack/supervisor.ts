import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { log } from '../log.ts';
import { root } from './settings.ts';

/** A program of the stack. */
export interface Program {
  readonly name: string;
  /** Folder it runs in. */
  readonly cwd: string;
  /** Arguments to Node. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Address that responds with 2xx once the program is ready; without one, its 'listening' log line is enough. */
  readonly readyUrl?: string;
}

/** How long a program may take to become ready, in milliseconds; a cold machine under load is slow. */
const readyWithin = 90_000;
/** How long a program may take to stop before it is killed, in milliseconds; programs stop within 10 s. */
const stopWithin = 10_000;
const longestBackOff = 10_000;
const shortestBackOff = 250;
/** Uptime that resets the restart back-off, in milliseconds. */
const resetAfterMs = 10_000;
const linesKept = 20;

/**
 * Starts programs, waits until they are ready, restarts one that dies, and stops them all.
 * Each child has an IPC channel: if this process dies, even by kill -9, the channel closes and the child stops.
 */
export class Supervisor {
  readonly #logDir: string;
  readonly #running = new Map<string, ChildProcess>();
  readonly #programs = new Map<string, Program>();
  /** Programs that we are stopping. */
  readonly #leaving = new Set<string>();
  /** Restart back-off of programs that keep exiting, in milliseconds. */
  readonly #backOffs = new Map<string, number>();
  #stopping = false;

  readonly #note: (pids: readonly number[]) => void;
  readonly #show: (name: string, line: string) => void;

  /**
   * @param logDir - folder for each program's output, one file each
   * @param note - called with the process ids of the running programs whenever they change
   * @param show - called with each line of a program's log once it is ready; earlier lines are in the error of a failed
   * start
   */
  constructor(
    logDir: string,
    note: (pids: readonly number[]) => void,
    show: (name: string, line: string) => void = () => undefined,
  ) {
    this.#logDir = logDir;
    this.#note = note;
    this.#show = show;
    mkdirSync(logDir, { recursive: true });
  }

  /**
   * Starts a program and waits until it is ready.
   *
   * @throws Error with the program's last lines, if it exits or isn't ready in time
   */
  async start(program: Program): Promise<void> {
    const logFile = createWriteStream(join(this.#logDir, `${program.name}.log`), { flags: 'a', mode: 0o600 });
    this.#programs.set(program.name, program);
    await this.#launch(program, logFile);
  }

  /** The process id of a program. @returns `undefined` unless it runs or is starting */
  pidOf(name: string): number | undefined {
    return this.#running.get(name)?.pid;
  }

  /** Restarts a program, e.g. on new code. */
  async restart(name: string): Promise<void> {
    const program = this.#programs.get(name);
    if (!program || this.#stopping) return;
    const child = this.#running.get(name);
    this.#leaving.add(name);
    if (child) await end(child);
    this.#leaving.delete(name);
    await this.start(program);
  }

  async #launch(program: Program, logFile: WriteStream): Promise<void> {
    const child = spawn(process.execPath, program.args, {
      cwd: program.cwd,
      // Cache compiled code between starts: a service starts in two thirds of the time and uses less memory.
      env: { ...process.env, NODE_COMPILE_CACHE: join(root, '.cache', 'compiled'), ...program.env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // A separate process group, so that Ctrl-C only reaches the supervisor, which stops everything in order.
      detached: true,
    });
    this.#running.set(program.name, child);
    this.#note([...this.#running.values()].flatMap(({ pid }) => pid ?? []));
    const lastLines: string[] = [];
    let ready = false;
    const exited = new Promise<never>((_resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) =>
        reject(new Error(`${program.name} ended with ${signal ?? `code ${code}`}:\n${lastLines.join('\n')}`)),
      );
    });
    // Awaited below; this keeps a late exit from becoming an unhandled rejection.
    exited.catch(() => undefined);
    const listening = new Promise<void>((resolve) => {
      for (const stream of [child.stdout, child.stderr]) {
        if (!stream) continue;
        createInterface({ input: stream }).on('line', (line) => {
          logFile.write(`${line}\n`);
          if (ready) this.#show(program.name, line);
          lastLines.push(line);
          if (lastLines.length > linesKept) lastLines.shift();
          if (line.includes('"msg":"listening"')) resolve();
        });
      }
    });
    const deadline = AbortSignal.timeout(readyWithin);
    const late = new Promise<never>((_resolve, reject) => {
      deadline.addEventListener('abort', () =>
        reject(new Error(`${program.name} was not ready after ${readyWithin / 1000} s:\n${lastLines.join('\n')}`)),
      );
    });
    await Promise.race([listening, exited, late]);
    if (program.readyUrl) await Promise.race([answers(program.readyUrl, deadline), exited, late]);
    const readyAt = performance.now();
    ready = true;
    child.once('exit', (code, signal) => {
      this.#running.delete(program.name);
      if (this.#stopping || this.#leaving.has(program.name)) return;
      if (performance.now() - readyAt > resetAfterMs) this.#backOffs.delete(program.name);
      log(
        `${program.name} ended (${signal ?? `code ${code}`}); restarting it. Its log: ${join(this.#logDir, `${program.name}.log`)}`,
      );
      void this.#restartDead(program, logFile);
    });
  }

  /**
   * Restarts at once the first time, then with increasing back-off if the program exits again soon or fails to start.
   */
  async #restartDead(program: Program, logFile: WriteStream): Promise<void> {
    const { name } = program;
    while (!this.#stopping) {
      const backOff = this.#backOffs.get(name);
      this.#backOffs.set(name, backOff === undefined ? shortestBackOff : Math.min(backOff * 2, longestBackOff));
      if (backOff !== undefined) await new Promise((resolve) => setTimeout(resolve, backOff));
      if (this.#stopping) return;
      try {
        await this.#launch(program, logFile);
        log(`${name} is running again.`);
        return;
      } catch (error) {
        if (this.#stopping) return;
        log(
          `${name} failed to restart: ${(error as Error).message.split('\n')[0]} Retrying in ${this.#backOffs.get(name)} ms.`,
        );
      }
    }
  }

  /**
   * Stops everything in reverse order of the start: the gateway first, the database last.
   * A program that doesn't stop in time is killed.
   */
  async stop(): Promise<void> {
    this.#stopping = true;
    const layers = [...this.#running].toReversed();
    for (const [, child] of layers) await end(child);
    this.#running.clear();
  }
}

async function answers(url: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const ok = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(2000)]) }).then(
      async (response) => {
        await response.body?.cancel();
        return response.ok;
      },
      // Not listening yet.
      () => false,
    );
    if (ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const killer = setTimeout(() => child.kill('SIGKILL'), stopWithin);
  await exited;
  clearTimeout(killer);
}
