import type { SQLInputValue } from 'node:sqlite';
import { buffer, containing, type IndexRow, type Store } from './store.ts';

/** Most intervals in one statement; a shorter one serves few intervals. */
export const INTERVALS_AT_ONCE = 100;
const FEW_INTERVALS = 8;
const NOTHING = new Uint8Array();

/** The key of one index entry as text, and the record id of its document. */
export type IndexText = readonly [key: string, rid: number | bigint];

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
function intervalsTable(intervals: readonly KeyInterval[]): string {
  return `WITH v (low, rid, high) AS (VALUES ${Array.from({ length: roomFor(intervals) }, () => '(?, ?, ?)').join(', ')})`;
}

/** The values of {@link intervalsTable}; the rest of the statement's intervals are empty. */
function valuesOf(intervals: readonly KeyInterval[]): SQLInputValue[] {
  const values: SQLInputValue[] = intervals.flatMap(({ from, fromRid, to }) => [from, fromRid, to]);
  for (let at = intervals.length; at < roomFor(intervals); at += 1) values.push(NOTHING, 0, NOTHING);
  return values;
}

const entriesInside = (index: number, contains?: Uint8Array): string =>
  `FROM v CROSS JOIN x${index} x ON (x.key, x.rid) > (v.low, v.rid) AND x.key < v.high${containing(contains)}`;

/**
 * The next entries of an index within some intervals, in ascending order: one statement costs a third of several.
 * @param intervals in ascending order, at most {@link INTERVALS_AT_ONCE}; like those of {@link Store.scanIndex}
 */
export function rowsInside(
  store: Store,
  collection: number,
  index: number,
  intervals: readonly KeyInterval[],
  limit: number,
): IndexRow[] {
  return store
    .all(
      `${intervalsTable(intervals)} SELECT x.key, x.rid, c.doc ${entriesInside(index)} CROSS JOIN c${collection} c ON c.rid = x.rid LIMIT ?`,
      ...valuesOf(intervals),
      limit,
    )
    .map(([key, rid, doc]) => ({ key: buffer(key), rid: Number(rid), doc: buffer(doc) }));
}

/**
 * {@link rowsInside} without reading the documents, and with the keys as texts, which cost a third of buffers.
 * Bytes that aren't UTF-8, as in numbers and ids, are lost.
 * @param contains as for {@link Store.scanIndex}
 */
export function textsInside(
  store: Store,
  index: number,
  intervals: readonly KeyInterval[],
  limit: number,
  contains?: Uint8Array,
): IndexText[] {
  return store.all(
    `${intervalsTable(intervals)} SELECT CAST(x.key AS TEXT), x.rid ${entriesInside(index, contains)} LIMIT ?`,
    ...valuesOf(intervals),
    ...(contains ? [contains] : []),
    limit,
  ) as unknown as IndexText[];
}

/** The n-th entry, from 0, of those that {@link textsInside} returns. */
export function entryAt(
  store: Store,
  index: number,
  intervals: readonly KeyInterval[],
  number: number,
  contains?: Uint8Array,
): Pick<IndexRow, 'key' | 'rid'> {
  const [[key, rid] = []] = store.all(
    `${intervalsTable(intervals)} SELECT x.key, x.rid ${entriesInside(index, contains)} LIMIT 1 OFFSET ?`,
    ...valuesOf(intervals),
    ...(contains ? [contains] : []),
    number,
  );
  return { key: buffer(key), rid: Number(rid) };
}
