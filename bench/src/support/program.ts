import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A server in its own process. */
export interface Program {
  readonly url: string;
  readonly pid: number;
  /** Processor time used so far by it and its workers, seconds. */
  readonly cpuSeconds: () => number;
  /** Memory of it and its workers, bytes. */
  readonly memory: () => number;
  /** Its own peak memory so far, bytes. */
  readonly peakMemory: () => number;
  /** Number of processes. */
  readonly processes: () => number;
  readonly stop: () => Promise<void>;
}

export interface ProgramOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** A program other than Node, e.g. nginx, with its arguments. */
  readonly command?: readonly [string, ...string[]];
  /** Arguments to Node, before the file. */
  readonly nodeOptions?: readonly string[];
  /** A path that answers once the program is ready; without one, any answer to `/` counts. */
  readonly readyPath?: string;
}

/** Clock ticks per second in /proc (Linux on every platform that Node supports). */
const ticks = 100;

/** Milliseconds until a program must first answer. */
const startWithin = 30_000;

/** Milliseconds a program has to stop before it is killed. */
const stopWithin = 10_000;

const compiled = path.join(import.meta.dirname, '..', '..', '..', '.cache', 'compiled');

/** Settings for starting services and gateway (scripts/stack/programs.ts). */
export const serviceOptions = ['--max-semi-space-size=8'];

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
 * Starts a server on the loopback and waits until it answers.
 *
 * @param file absolute path of its program; not used with `command`
 * @throws Error when it exits or doesn't answer in time
 */
export async function startProgram(
  file: string,
  port: number,
  { env = {}, command, nodeOptions = [], readyPath }: ProgramOptions = {},
): Promise<Program> {
  // Logs are written as in operation, but reading them must not cost processor time.
  const log = openSync('/dev/null', 'w');
  const [program, ...args] = command ?? [process.execPath, ...nodeOptions, file];
  const child = spawn(program, args, {
    // As `npm start` does: with the compile cache.
    env: { ...process.env, NODE_COMPILE_CACHE: compiled, ...env, HOST: '127.0.0.1', PORT: String(port) },
    // With an IPC channel, Node programs stop when this process exits.
    stdio: command ? ['ignore', log, 'inherit'] : ['ignore', log, 'inherit', 'ipc'],
  });
  endWithUs(child);
  const url = `http://127.0.0.1:${port}`;
  await untilAnswering(child, url, readyPath);
  const pid = child.pid ?? 0;
  return {
    url,
    pid,
    cpuSeconds: () => sum(familyOf(pid).map(cpuSecondsOf)),
    processes: () => familyOf(pid).length,
    memory: () => sum(familyOf(pid).map((one) => memoryOf(one, 'VmRSS'))),
    peakMemory: () => memoryOf(pid, 'VmHWM'),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      const killer = setTimeout(() => child.kill('SIGKILL'), stopWithin);
      await exited;
      clearTimeout(killer);
    },
  };
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

/** A process and its child processes. */
function familyOf(pid: number): number[] {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const children = tasks
    .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' '))
    .filter((child) => child !== '');
  return [pid, ...children.flatMap((child) => familyOf(Number(child)))];
}

/** User and system time (proc(5), fields 14 and 15 of /proc/pid/stat). */
function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticks;
}

/** Resident memory in bytes, current or peak (proc(5), /proc/pid/status). */
function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  return (
    Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) *
    1024
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
