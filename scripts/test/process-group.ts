// Programs that the tests' runner starts, each with every process that it starts in turn: none outlives its turn, or the run.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '../stack/settings.ts';

/** A program and all that it starts, also what left its process group. */
export interface ProcessGroup {
  readonly child: ChildProcess;
  /**
   * Exit code, or the signal that ended it; processes that it started may still run. Never settles if this process is asked
   * to stop meanwhile: neither the next file nor a repeat starts then.
   */
  readonly exited: Promise<number | string>;
  /** Waits until nothing of it runs. @param within - milliseconds @returns the commands of what still runs then */
  empty(within: number): Promise<readonly string[]>;
  /** Ends all of it: first asks, then kills. */
  end(): Promise<void>;
}

/** Every process inherits it, unless it is started with an environment of its own. */
const markName = 'CLINIC_TEST_GROUP';
/** Milliseconds to stop when asked: the product's programs stop within 10 s. */
const usualStop = 12_000;
const pollMs = 50;

const running = new Set<ProcessGroup>();
const cleanUps: (() => unknown)[] = [];
let stopping = false;

/** Registers work that must be done when this process is asked to stop, after its programs have ended; the last comes first. */
export function onStop(work: () => unknown): void {
  listenForStops();
  cleanUps.unshift(work);
}

/** Ends this process and all it started when it is asked to, by Ctrl-C, a signal, or the death of npm. */
const listenForStops = once(() => {
  const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, disconnect: 1 } as const;
  for (const [event, code] of Object.entries(codes))
    process.on(event, () => {
      if (stopping) return;
      stopping = true;
      void stopAll().finally(() => process.exit(code));
    });
  // Listening for the death of npm would keep this process alive, and to disconnect would look like that death.
  process.channel?.unref();
});

async function stopAll(): Promise<void> {
  await Promise.allSettled([...running].map((group) => group.end()));
  for (const work of cleanUps)
    try {
      await work();
    } catch (error) {
      console.error(error);
    }
}

/**
 * Starts a program as the leader of a process group.
 *
 * @param live - writes its output to the terminal instead of handing it over
 * @param stopWithin - milliseconds that it has to stop when asked
 */
export function startGroup(
  file: string,
  args: readonly string[],
  {
    env = {},
    cwd = root,
    live = false,
    stopWithin = usualStop,
  }: { env?: NodeJS.ProcessEnv; cwd?: string; live?: boolean; stopWithin?: number } = {},
): ProcessGroup {
  listenForStops();
  const mark = randomUUID();
  const isCleanUp = stopping;
  const output = live ? 'inherit' : 'pipe';
  const child = spawn(file, args, {
    cwd,
    env: {
      // Hundreds of programs load the same modules.
      NODE_COMPILE_CACHE: join(root, '.cache', 'compiled'),
      ...process.env,
      // A test of node:test that starts tests isn't their runner.
      NODE_TEST_CONTEXT: undefined,
      ...env,
      [markName]: mark,
    },
    stdio: ['ignore', output, output],
    detached: true,
  });
  const exited = new Promise<number | string>((resolve, reject) => {
    child.once('error', reject).once('exit', (code, signal) => {
      if (!stopping || isCleanUp) resolve(code ?? signal ?? 1);
    });
  });
  const members = (): readonly Member[] => (child.pid === undefined ? [] : membersOf(child.pid, mark));
  const signal = (name: NodeJS.Signals): void => members().forEach(({ pid }) => send(pid, name));
  const empty = async (within: number): Promise<readonly string[]> => {
    const until = performance.now() + within;
    while (members().length > 0 && performance.now() < until) await delay(pollMs);
    return members().map(({ command }) => command);
  };
  const group: ProcessGroup = {
    child,
    exited,
    empty,
    async end() {
      signal('SIGTERM');
      for (let left = await empty(stopWithin); left.length > 0; left = await empty(stopWithin)) signal('SIGKILL');
    },
  };
  running.add(group);
  const leave = (): void => void running.delete(group);
  exited.then(async () => {
    // What it started may outlive it until the caller has looked.
    await empty(2 * stopWithin);
    leave();
  }, leave);
  return group;
}

interface Member {
  readonly pid: number;
  readonly command: string;
}

/** The processes of the group, their descendants, and those with its mark. Without /proc the leader's group alone. */
function membersOf(leader: number, mark: string): readonly Member[] {
  if (process.platform !== 'linux') return send(-leader, 0) ? [{ pid: -leader, command: 'a process' }] : [];
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
  const found = new Set(
    all.filter(({ group, environment }) => group === leader || environment().includes(`${markName}=${mark}`)),
  );
  for (let before = -1; before < found.size;) {
    before = found.size;
    const pids = new Set([...found].map(({ pid }) => pid));
    for (const one of all) if (pids.has(one.parent)) found.add(one);
  }
  return [...found].map(({ pid, command }) => ({ pid, command: command() }));
}

/** @returns `undefined` for one that has ended */
function readProcess(pid: number) {
  const read = (file: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8').replaceAll('\0', ' ').trim();
    } catch {
      // It has ended meanwhile, or belongs to somebody else.
      return '';
    }
  };
  const stat = read('stat');
  // proc(5): the command's name is in parentheses, then come state, parent and group.
  const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (stat === '' || state === 'Z' || state === 'X') return undefined;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    environment: () => read('environ'),
    command: () => read('cmdline') || stat,
  };
}

/** @returns whether there is such a process */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    work();
  };
}
