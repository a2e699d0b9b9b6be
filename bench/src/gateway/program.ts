import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';

/** A server in a process of its own. */
export interface Program {
  readonly url: string;
  /** Seconds of processor time it has used so far. */
  readonly cpuSeconds: () => number;
  readonly stop: () => Promise<void>;
}

/** Clock ticks a second in /proc (Linux on every platform that Node supports). */
const ticks = 100;

/**
 * Starts a server and waits until it answers.
 *
 * @param file absolute path of its program
 * @param env settings; its port is chosen here
 */
export async function startProgram(file: string, port: number, env: Record<string, string> = {}): Promise<Program> {
  // As in operation the log is written, but its reader must not cost processor time.
  const log = openSync('/dev/null', 'w');
  const child = fork(file, { env: { ...process.env, ...env, PORT: String(port) }, stdio: ['ignore', log, 'inherit', 'ipc'] });
  const url = `http://127.0.0.1:${port}`;
  await untilAnswering(child, url);
  return {
    url,
    cpuSeconds: () => cpuSecondsOf(child.pid ?? 0),
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function untilAnswering(child: ChildProcess, url: string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`A program for ${url} ended with ${child.exitCode}`);
    try {
      await fetch(url);
      return;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** User and system time (proc(5), fields 14 and 15 of /proc/pid/stat). */
function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticks;
}
