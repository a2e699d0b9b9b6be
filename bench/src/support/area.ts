import type { AreaResult } from './results.ts';

/** Input of an area. */
export interface AreaContext {
  /** 1 for figures to save; less for a quick run, with correspondingly less time per measurement. */
  readonly effort: number;
  /** Logs progress. */
  readonly say: (text: string) => void;
  /** Runs when the area is over, however it ends; last registered first. */
  readonly after: (undo: () => unknown) => void;
}

/** One area to measure. */
export interface Area {
  readonly name: string;
  readonly title: string;
  /** Only measured if it is named: it takes as long as all others together. */
  readonly byName?: true;
  /** Timeout in seconds. */
  readonly within: number;
  readonly run: (context: AreaContext) => Promise<Pick<AreaResult, 'how' | 'peerName' | 'rows' | 'remarks'>>;
}
