import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChaosStack } from './chaos-stack.ts';
import type { Random } from '@clinic/mongo-embedded/testing/random';

/** A fault to inject. */
export interface Fault {
  readonly name: string;
  /** During the fault and shortly after, connections to the gateway may fail. */
  readonly hitsGateway: boolean;
  /** It ends one process of a part that has others: reads must continue without an error. */
  readonly leavesPeers: boolean;
  /** Injects it and reverts it. */
  run(stack: ChaosStack): Promise<void>;
}

/** How long faults last, in milliseconds. */
export interface Lengths {
  /** A process is paused. */
  readonly pause: number;
  /** A process is cut off, or a disk is full. */
  readonly lasting: number;
}

const important = ['mongo', 'auth-emulator', 'svc-identity', 'svc-clinic', 'svc-pharmacy', 'gateway'] as const;
const services = ['svc-identity', 'svc-clinic', 'svc-pharmacy'] as const;

function signal(stack: ChaosStack, name: string, which: NodeJS.Signals): number {
  const pid = stack.pidOf(name);
  if (pid === undefined) throw new Error(`${name} is not running`);
  process.kill(pid, which);
  return pid;
}

/** Makes faults for a stack; which of a program's processes they hit is chosen at random. */
function makersOf({ processes }: ChaosStack, random: Random, { pause, lasting }: Lengths) {
  const of = (program: string): readonly string[] => processes.get(program) ?? [];
  const about = (program: string) => ({
    hitsGateway: program === 'gateway',
    leavesPeers: of(program).length > 1,
  });
  return {
    kill(program: string): Fault {
      const victim = random.pick(of(program));
      return {
        ...about(program),
        name: `kill -9 ${victim}`,
        run: (stack) => Promise.resolve(void signal(stack, victim, 'SIGKILL')),
      };
    },
    killAll: (program: string): Fault => ({
      ...about(program),
      leavesPeers: false,
      name: `kill -9 all of ${program}`,
      run: (stack) => Promise.resolve(void of(program).map((name) => signal(stack, name, 'SIGKILL'))),
    }),
    pause(program: string): Fault {
      const victim = random.pick(of(program));
      return {
        ...about(program),
        // Its peers go on, but requests that it holds wait for it until they time out.
        leavesPeers: false,
        name: `pause ${victim} for ${pause / 1_000} s`,
        async run(stack) {
          const pid = signal(stack, victim, 'SIGSTOP');
          await delay(pause);
          process.kill(pid, 'SIGCONT');
        },
      };
    },
    cutOff(program: string): Fault {
      const victim = random.pick(of(program));
      return {
        ...about(program),
        name: `cut ${victim} off for ${lasting / 1_000} s`,
        async run(stack) {
          stack.cut(victim, true);
          await delay(lasting);
          stack.cut(victim, false);
        },
      };
    },
    /** Database files can't grow: each write fails as on a full disk, until there is space again. */
    fullDisk: (): Fault => ({
      ...about('mongo'),
      name: `no space for the database for ${lasting / 1_000} s`,
      async run(stack) {
        const pid = String(stack.pidOf('mongo'));
        execFileSync('prlimit', ['--pid', pid, '--fsize=1000:unlimited']);
        await delay(lasting);
        execFileSync('prlimit', ['--pid', pid, '--fsize=unlimited:unlimited']);
      },
    }),
  };
}

/** Every kind of fault once, in random order. */
export function roundOfFaults(stack: ChaosStack, random: Random, lengths: Lengths): Fault[] {
  const make = makersOf(stack, random, lengths);
  const sites = [...stack.processes.keys()].filter((name) => !important.some((other) => other === name));
  const hasReplicas = services.every((service) => (stack.processes.get(service)?.length ?? 0) > 1);
  return random.shuffled([
    ...important.map((program) => make.kill(program)),
    make.kill(random.pick(sites)),
    make.pause(random.pick(important)),
    make.cutOff(random.pick(services)),
    make.fullDisk(),
    ...(hasReplicas ? [make.killAll(random.pick(services))] : []),
  ]);
}

/** Faults that replicas must absorb: each service and the gateway lose a process, and one hangs. */
export function lossesOfReplicas(stack: ChaosStack, random: Random, lengths: Lengths): Fault[] {
  const make = makersOf(stack, random, lengths);
  return random.shuffled([
    ...[...services, 'gateway'].map((program) => make.kill(program)),
    make.cutOff(random.pick(services)),
    make.pause(random.pick(services)),
  ]);
}
