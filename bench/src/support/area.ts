import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AreaResult } from './results.ts';

/** Input of an area. */
export interface AreaContext {
  /** 1 for figures to save; less for a quick run, with correspondingly less time per measurement. */
  readonly effort: number;
  /** Logs progress. */
  readonly say: (text: string) => void;
  /** Registers cleanup that runs when the area ends, successfully or not; last registered first. */
  readonly after: (undo: () => unknown) => void;
}

/** One area to measure. */
export interface Area {
  readonly name: string;
  readonly title: string;
  /** Timeout in seconds. */
  readonly within: number;
  readonly run: (
    context: AreaContext,
  ) => Promise<Pick<AreaResult, 'how' | 'peerName' | 'rows'> & Partial<Pick<AreaResult, 'remarks'>>>;
}

/** An empty folder that is removed when the area ends. */
export function temporaryFolder({ after }: Pick<AreaContext, 'after'>, name: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), `clinic-bench-${name}-`));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
