import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChaosStack } from './chaos-stack.ts';
import type { Random } from './random.ts';

/** A fault to inject. */
export interface Fault {
  readonly name: string;
  /** While it lasts and shortly after, connections to the gateway may fail. */
  readonly hitsGateway: boolean;
  /** Injects it and reverts it. */
  run(stack: ChaosStack): Promise<void>;
}

/** How long a process is paused, a service cut off, a disk full, in milliseconds. */
const pauseMs = 20_000;
const lastingMs = 10_000;

const important = ['mongo', 'auth-emulator', 'svc-identity', 'svc-clinic', 'svc-pharmacy', 'gateway'] as const;

function signal(stack: ChaosStack, program: string, name: NodeJS.Signals): number {
  const pid = stack.pidOf(program);
  if (pid === undefined) throw new Error(`${program} is not running`);
  process.kill(pid, name);
  return pid;
}

const kill = (program: string): Fault => ({
  name: `kill -9 ${program}`,
  hitsGateway: program === 'gateway',
  run: (stack) => Promise.resolve(void signal(stack, program, 'SIGKILL')),
});

const pause = (program: string): Fault => ({
  name: `pause ${program} for ${pauseMs / 1_000} s`,
  hitsGateway: program === 'gateway',
  async run(stack) {
    const pid = signal(stack, program, 'SIGSTOP');
    await delay(pauseMs);
    process.kill(pid, 'SIGCONT');
  },
});

const cutOff = (service: string): Fault => ({
  name: `cut ${service} off for ${lastingMs / 1_000} s`,
  hitsGateway: false,
  async run(stack) {
    stack.cut(service, true);
    await delay(lastingMs);
    stack.cut(service, false);
  },
});

/** Database files can't grow: each write fails as on a full disk, until there is space again. */
const fullDisk: Fault = {
  name: `no space for the database for ${lastingMs / 1_000} s`,
  hitsGateway: false,
  async run(stack) {
    const pid = String(stack.pidOf('mongo'));
    execFileSync('prlimit', ['--pid', pid, '--fsize=1000:unlimited']);
    await delay(lastingMs);
    execFileSync('prlimit', ['--pid', pid, '--fsize=unlimited:unlimited']);
  },
};

/** Every kind of fault once, in random order. */
export function roundOfFaults(random: Random, programs: readonly string[]): Fault[] {
  const sites = programs.filter((name) => !important.some((other) => other === name));
  return random.shuffled([
    ...important.map(kill),
    kill(random.pick(sites)),
    pause(random.pick(important)),
    cutOff(random.pick(['identity', 'clinic', 'pharmacy'])),
    fullDisk,
  ]);
}
