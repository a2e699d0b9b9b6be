import type { AreaResult } from '../support/results.ts';
import type { Machine } from './machine.ts';

/** The latest figures of each area. */
export interface Kept {
  readonly date: string;
  readonly machine: Machine;
  readonly areas: readonly AreaResult[];
}
