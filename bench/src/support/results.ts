/** A figure with its unit, or a text. */
export interface Figure {
  readonly value: number;
  readonly unit: string;
}

/** One row of a table. */
export interface Row {
  readonly what: string;
  readonly ours: Figure;
  readonly peer?: Figure;
  /** The figure compared with the target: a ratio to the peer, or our own. */
  readonly judged?: Judged;
  /** A short explanation. */
  readonly note?: string;
  /** Short name in the chart. */
  readonly chart?: string;
}

export interface Judged {
  readonly value: number;
  readonly target: number;
  /** Whether lower or higher is better. */
  readonly better: 'less' | 'more';
  /** What the value is: a ratio to the peer, or our own figure. */
  readonly as: 'ratio' | 'figure';
}

/** One area's results. */
export interface AreaResult {
  readonly name: string;
  readonly title: string;
  /** How it was measured, in a sentence or two. */
  readonly how: string;
  readonly peerName?: string;
  readonly rows: readonly Row[];
  /** Remarks: what could not be measured and why, what was tried if a target is missed. */
  readonly remarks: readonly string[];
  readonly seconds: number;
  /** Time, as an ISO instant. */
  readonly measuredAt: string;
  /** The machine's load before the run, which shows if it was busy. */
  readonly load: number;
}

export function meets({ value, target, better }: Judged): boolean {
  return better === 'less' ? value <= target : value >= target;
}

/** A ratio to a peer with a minimum. */
export const atLeast = (value: number, target: number): Judged => ({ value, target, better: 'more', as: 'ratio' });
/** A ratio to a peer with a maximum. */
export const atMost = (value: number, target: number): Judged => ({ value, target, better: 'less', as: 'ratio' });
/** A row with a limit on our own figure. */
export function limited(
  what: string,
  value: number,
  unit: string,
  target: number,
  better: 'less' | 'more' = 'less',
  note?: string,
): Row {
  return { what, ours: { value, unit }, judged: { value, target, better, as: 'figure' }, note };
}
