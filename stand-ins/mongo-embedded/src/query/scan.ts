import { decode } from '../bson/decode.ts';
import { present } from '../present.ts';
import { indexKeys } from '../storage/indexes.ts';
import type { Collection } from '../storage/catalogue.ts';
import type { Index } from '../storage/indexes.ts';
import { entryAt, INTERVALS_AT_ONCE, rowsInside, textsInside, type IndexText } from '../storage/key-intervals.ts';
import type { IndexRow, Store } from '../storage/store.ts';
import type { Interval } from './index-bounds.ts';
import type { IndexScan, Plan } from './planner.ts';

/** What a query has examined so far, for explain; excludes entries without its text (see `IndexScan`). */
export interface ScanStatistics {
  keysExamined: number;
  docsExamined: number;
}

/** A document found, not yet matched against the filter. */
export interface Found {
  rid: number;
  bytes: Buffer;
}

/** Unless the query has a limit, chunks start small and grow. */
const FIRST_CHUNK = 32;
const LARGEST_CHUNK = 512;
/** Entries without documents are small, and their readers want all of them. */
const LARGEST_TEXT_CHUNK = 4_096;
/** From this many intervals on, they are read together. */
const MANY_INTERVALS = 3;

/** Entries of an overlay in scan order. */
interface OverlayEntry {
  key: Buffer;
  rid: number;
  doc: Buffer;
}

/**
 * The documents that a plan leads to, in its order.
 * Other commands may run between two of them; the scan then continues from its position.
 * @param wanted maximum number of documents that the query needs, 0 for no limit
 * @param overlay documents that a transaction sees differently from storage (null: not at all)
 */
export function* scan(
  store: Store,
  collection: Collection,
  plan: Plan,
  statistics: ScanStatistics,
  wanted: number,
  overlay?: Map<number, Buffer | null>,
): Generator<Found> {
  const size = wanted > 0 ? Math.min(wanted, LARGEST_CHUNK) : FIRST_CHUNK;
  const rows =
    plan.stage === 'COLLSCAN' ? collectionRows(store, collection, size) : indexRows(store, collection, plan, size);
  const merged = overlay && overlay.size > 0 ? merge(rows, overlay, plan) : rows;
  // A multikey index has a document once for each matching array element.
  const seen = plan.stage === 'IXSCAN' && plan.index.multikeyFields.size > 0 ? new Set<number>() : undefined;
  for (const { rid, doc } of merged) {
    if (plan.stage === 'IXSCAN') statistics.keysExamined += 1;
    if (seen?.has(rid)) continue;
    seen?.add(rid);
    statistics.docsExamined += 1;
    yield { rid, bytes: doc };
  }
}

const NO_KEY = Buffer.alloc(0);

function* collectionRows(store: Store, collection: Collection, firstSize: number): Generator<IndexRow> {
  let after = 0;
  for (let size = firstSize; ; size = Math.min(size * 4, LARGEST_CHUNK)) {
    const rows = store.scan(collection.id, after, size);
    for (const { rid, doc } of rows) yield { key: NO_KEY, rid, doc };
    if (rows.length < size) return;
    after = present(rows.at(-1)).rid;
  }
}

function* indexRows(
  store: Store,
  collection: Collection,
  { index, intervals, reverse, contains }: IndexScan,
  firstSize: number,
): Generator<IndexRow> {
  if (!reverse && intervals.length >= MANY_INTERVALS) {
    for (let at = 0; at < intervals.length; at += INTERVALS_AT_ONCE)
      yield* rowsOfIntervals(store, collection, index, intervals.slice(at, at + INTERVALS_AT_ONCE), firstSize);
    return;
  }
  for (const { from, to } of reverse ? intervals.toReversed() : intervals) {
    let position = reverse ? to : from;
    const end = reverse ? from : to;
    let after = -1;
    for (let size = firstSize; ; size = Math.min(size * 4, LARGEST_CHUNK)) {
      const rows = store.scanIndex(collection.id, index.id, reverse, position, after, end, size, contains);
      yield* rows;
      if (rows.length < size) break;
      ({ key: position, rid: after } = present(rows.at(-1)));
    }
  }
}

/** The entries of a plan's index, in ascending order and in chunks, without their documents; see {@link textsInside}. */
export function* scanTexts(store: Store, { index, intervals, contains }: IndexScan): Generator<IndexText[]> {
  for (let at = 0; at < intervals.length; at += INTERVALS_AT_ONCE) {
    let rest = startsOf(intervals.slice(at, at + INTERVALS_AT_ONCE));
    for (;;) {
      const rows = textsInside(store, index.id, rest, LARGEST_TEXT_CHUNK, contains);
      yield rows;
      if (rows.length < LARGEST_TEXT_CHUNK) break;
      rest = after(rest, entryAt(store, index.id, rest, LARGEST_TEXT_CHUNK - 1, contains));
    }
  }
}

type Entry = Pick<IndexRow, 'key' | 'rid'>;

/** {@link indexRows} of some intervals with as few statements as possible. */
const rowsOfIntervals = (
  store: Store,
  collection: Collection,
  index: Index,
  intervals: readonly Interval[],
  firstSize: number,
): Generator<IndexRow> =>
  inChunks(intervals, firstSize, (rest, size) => rowsInside(store, collection.id, index.id, rest, size));

function* inChunks<Row extends Entry>(
  intervals: readonly Interval[],
  firstSize: number,
  read: (rest: Rest[], size: number) => Row[],
): Generator<Row> {
  let rest = startsOf(intervals);
  for (let size = firstSize; ; size = Math.min(size * 4, LARGEST_CHUNK)) {
    const rows = read(rest, size);
    yield* rows;
    if (rows.length < size) return;
    rest = after(rest, present(rows.at(-1)));
  }
}

interface Rest {
  readonly from: Buffer;
  readonly fromRid: number;
  readonly to: Buffer;
}

const startsOf = (intervals: readonly Interval[]): Rest[] =>
  intervals.map(({ from, to }) => ({ from, fromRid: -1, to }));

/** The rest of some intervals after an entry in one of them. */
function after(intervals: readonly Rest[], { key, rid }: Entry): Rest[] {
  const [current, ...others] = intervals.filter(({ to }) => Buffer.compare(key, to) < 0);
  return [{ ...present(current), from: key, fromRid: rid }, ...others];
}

/** Skips the rows that the overlay replaces, and merges in the overlay's own documents. */
function* merge(rows: Generator<IndexRow>, overlay: Map<number, Buffer | null>, plan: Plan): Generator<IndexRow> {
  const entries = overlayEntries(overlay, plan);
  const sign = plan.stage === 'IXSCAN' && plan.reverse ? -1 : 1;
  let next = entries.shift();
  for (const row of rows) {
    if (overlay.has(row.rid)) continue;
    while (next && compareRows(next, row) * sign < 0) {
      yield next;
      next = entries.shift();
    }
    yield row;
  }
  if (next) yield next;
  yield* entries;
}

function overlayEntries(overlay: Map<number, Buffer | null>, plan: Plan): OverlayEntry[] {
  const entries: OverlayEntry[] = [];
  for (const [rid, doc] of overlay) {
    if (!doc) continue;
    const keys = plan.stage === 'COLLSCAN' ? [NO_KEY] : keysInside(plan, doc);
    for (const key of keys) entries.push({ key, rid, doc });
  }
  const sign = plan.stage === 'IXSCAN' && plan.reverse ? -1 : 1;
  return entries.toSorted((a, b) => compareRows(a, b) * sign);
}

function keysInside({ index, intervals }: IndexScan, doc: Buffer): Buffer[] {
  return indexKeys(index, decode(doc)).keys.filter((key) =>
    intervals.some(({ from, to }) => Buffer.compare(key, from) >= 0 && Buffer.compare(key, to) < 0),
  );
}

function compareRows(a: IndexRow, b: IndexRow): number {
  return Buffer.compare(a.key, b.key) || a.rid - b.rid;
}
