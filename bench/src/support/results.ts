/** A figure with its unit, or a text. */
export interface Figure {
  readonly value: number;
  readonly unit: string;
}

/** One line of a table. */
export interface Row {
  readonly what: string;
  readonly ours: Figure;
  readonly peer?: Figure;
  /** How what was found compares with the target: a ratio to the peer or a figure of its own. */
  readonly judged?: Judged;
  /** Why it is as it is, in a few words. */
  readonly note?: string;
  /** Short name under which it is in the chart. */
  readonly chart?: string;
}

export interface Judged {
  readonly value: number;
  readonly target: number;
  /** Whether less is better, or more. */
  readonly better: 'less' | 'more';
  /** What the value is: a ratio to the peer, or ours itself. */
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
  /** What else there is to know: what could not be measured and why, what was tried where a target is missed. */
  readonly remarks: readonly string[];
  readonly seconds: number;
  /** When, as an ISO instant. */
  readonly measuredAt: string;
  /** The machine's load before, by which a busy one is known. */
  readonly load: number;
}

export function meets({ value, target, better }: Judged): boolean {
  return better === 'less' ? value <= target : value >= target;
}

/** A ratio to a peer that must be so much or more. */
export const atLeast = (value: number, target: number): Judged => ({ value, target, better: 'more', as: 'ratio' });
/** A ratio to a peer that must be so much or less. */
export const atMost = (value: number, target: number): Judged => ({ value, target, better: 'less', as: 'ratio' });
/** A row whose own figure has a limit. */
export function limited(what: string, value: number, unit: string, target: number, better: 'less' | 'more' = 'less', note?: string): Row {
  return { what, ours: { value, unit }, judged: { value, target, better, as: 'figure' }, note };
}
