import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import type { AreaResult } from '../support/results.ts';

/** The latest figures of each area. */
export interface Kept {
  readonly date: string;
  readonly machine: Machine;
  readonly areas: readonly AreaResult[];
}

/** The machine that figures come from. */
interface Machine {
  readonly processors: number;
  readonly model: string;
  /** GB */
  readonly memory: number;
  readonly system: string;
  readonly node: string;
}

export function machineOf(): Machine {
  return {
    processors: availableParallelism(),
    model: cpus()[0]?.model.trim() ?? 'unknown',
    memory: Math.round(totalmem() / 1024 ** 3),
    system: `${type()} ${release()}`,
    node: process.versions.node,
  };
}
