import type { SQLInputValue } from 'node:sqlite';

/** Most intervals in one statement; a shorter one serves few intervals. */
export const INTERVALS_AT_ONCE = 100;
const FEW_INTERVALS = 8;
const NOTHING = new Uint8Array();

/** Index entries after a key and record, and before a key. */
export interface KeyInterval {
  readonly from: Uint8Array;
  /** Entries of the first key up to this record are skipped. */
  readonly fromRid: number;
  readonly to: Uint8Array;
}

const roomFor = (intervals: readonly KeyInterval[]): number =>
  intervals.length <= FEW_INTERVALS ? FEW_INTERVALS : INTERVALS_AT_ONCE;

/** The start of a statement over some intervals: one of two texts, so that it is prepared once. */
export function intervalsTable(intervals: readonly KeyInterval[]): string {
  return `WITH v (low, rid, high) AS (VALUES ${Array.from({ length: roomFor(intervals) }, () => '(?, ?, ?)').join(', ')})`;
}

/** The values of {@link intervalsTable}; the rest of the statement's intervals are empty. */
export function valuesOf(intervals: readonly KeyInterval[]): SQLInputValue[] {
  const values: SQLInputValue[] = intervals.flatMap(({ from, fromRid, to }) => [from, fromRid, to]);
  for (let at = intervals.length; at < roomFor(intervals); at += 1) values.push(NOTHING, 0, NOTHING);
  return values;
}
