import type { AreaResult } from './results.ts';

/** What an area is given. */
export interface AreaContext {
  /** 1 for figures to keep; less for a quick look, with as much less time for each measurement. */
  readonly effort: number;
  /** Says what goes on. */
  readonly say: (text: string) => void;
  /** Runs when the area is over, last first, however it ends. */
  readonly after: (undo: () => unknown) => void;
}

/** One thing that is measured. */
export interface Area {
  readonly name: string;
  readonly title: string;
  /** Seconds after which it is given up. */
  readonly within: number;
  readonly run: (context: AreaContext) => Promise<Pick<AreaResult, 'how' | 'peerName' | 'rows' | 'remarks'>>;
}
