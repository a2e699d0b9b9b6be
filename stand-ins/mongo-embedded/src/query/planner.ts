import { CommandError, outsideProfile } from '../errors.ts';
import { compare } from '../bson/comparator.ts';
import { keyOf } from '../bson/key-string.ts';
import { isDoc } from '../bson/values.ts';
import type { Value } from '../bson/values.ts';
import type { Collection } from '../storage/catalogue.ts';
import type { Index } from '../storage/indexes.ts';
import type { Store } from '../storage/store.ts';
import { fieldsOf } from './expression.ts';
import type { Expression, Leaf } from './expression.ts';
import { branches, constantFields, coversFields, impliesPartial, indexBounds, isConjunction } from './index-bounds.ts';
import type { Bounds, Interval } from './index-bounds.ts';
import type { SortField } from './sorter.ts';

/** How a query's documents are found. */
export type Plan = { stage: 'COLLSCAN'; sorted: boolean } | IndexScan;

/** Documents by the entries of an index. */
export interface IndexScan {
  stage: 'IXSCAN';
  index: Index;
  intervals: Interval[];
  /** From the greatest key to the least. */
  reverse: boolean;
  /** Whether the entries are in the requested order. */
  sorted: boolean;
  /** Whether there is exactly one entry per matching document. */
  exact: boolean;
  /** Whether the entries have all fields that the caller reads, and are read from the first to the last. */
  covers: boolean;
  /**
   * Bytes that the entries of matching documents contain; other entries needn't be read, except those of regular
   * expressions.
   */
  contains?: Buffer | undefined;
}

interface Candidate {
  plan: IndexScan;
  score: number;
  /** Whether the filter excludes part of the index. */
  bounded: boolean;
}

/** What a query requires of an index. */
interface Requirements {
  readonly sort: SortField[];
  readonly fields?: ReadonlySet<string> | undefined;
  /** Whether the alternatives are the whole filter. */
  readonly whole: boolean;
}

/** Score of an index that covers the query: more than a range, less than a bound field. */
const COVERS = 50;
/** The score of a unique index that finds at most one document. */
const UNIQUE = 10_000;
/** Number of entries up to which candidates are compared by counting. */
const FEW = 256;
/** The limit for queries of a page; see {@link fewFor}. */
const MOST_OF_A_PAGE = 2_048;
/** Counting in more intervals than this costs more than it saves. */
const MOST_COUNTED = 32;

/** The parts of a `Query` that planning needs. */
interface Planned {
  readonly filter: Expression;
  /** The requested order, empty for none. */
  readonly sort: SortField[];
  readonly skip?: number;
  /** 0 for no limit. */
  readonly limit?: number;
  /** The index to use, by name or key pattern, if the client gave one. */
  readonly hint?: Value;
  /** The top-level fields that the caller reads, if not all. */
  readonly fields?: ReadonlySet<string>;
}

/**
 * Chooses how to find a query's documents: prefers the index with the most fields bound to values, then one that gives
 * the order, unless another selects only a few documents.
 * @throws CommandError 2 for a hint that names no index
 */
export function plan(store: Store, collection: Collection, query: Planned): Plan {
  const { filter, sort, hint, fields } = query;
  const alternatives = branches(filter);
  if (hint !== undefined) return hinted(collection, alternatives, { sort, fields }, hint);
  const whole = isConjunction(filter);
  const candidates = collection.indexes
    .flatMap((index) => consider(index, alternatives, { sort, fields, whole }) ?? [])
    .filter((candidate) => candidate.score > 0)
    .toSorted((a, b) => b.score - a.score);
  const [best, ...others] = candidates;
  if (!best) return { stage: 'COLLSCAN', sorted: sort.length === 0 };
  if (others.length === 0 || best.score >= UNIQUE || entries(store, best, FEW) < FEW) return best.plan;
  let [few, choice] = [fewFor(query, collection, best), best];
  for (const other of others) {
    const count = entries(store, other, few);
    if (count < few) [few, choice] = [count, other];
  }
  return choice.plan;
}

/**
 * The number of entries from which an index that selects documents costs more than one that only gives their order. A
 * page of `limit` from `count` documents, of which `entries` match, reads about `limit * count / entries` in order, and
 * otherwise all that match.
 */
function fewFor({ skip = 0, limit = 0 }: Planned, collection: Collection, { plan: best, bounded }: Candidate): number {
  if (limit === 0 || bounded || best.stage !== 'IXSCAN' || !best.sorted) return FEW;
  return Math.min(MOST_OF_A_PAGE, Math.max(FEW, Math.floor(Math.sqrt((skip + limit) * collection.count))));
}

/** The number of entries a candidate would read, at most `most`. */
function entries(store: Store, { plan: { index, intervals }, bounded }: Candidate, most: number): number {
  if (!bounded || intervals.length > MOST_COUNTED) return most;
  let count = 0;
  for (const { from, to } of intervals) {
    count += store.countKeys(index.id, from, to, most - count);
    if (count >= most) break;
  }
  return count;
}

function hinted(
  collection: Collection,
  alternatives: Leaf[][],
  requirements: Omit<Requirements, 'whole'>,
  hint: Value,
): Plan {
  if (isDoc(hint) && hint.has('$natural')) throw outsideProfile('The hint $natural');
  const index = collection.indexes.find(({ name, spec }) =>
    isDoc(hint) ? compare(spec.get('key'), hint) === 0 : name === hint,
  );
  const candidate = index && consider(index, alternatives, { ...requirements, whole: false });
  if (!candidate)
    throw new CommandError(
      2,
      'error processing query: planner returned error :: caused by :: hint provided does not correspond to an existing index',
    );
  return candidate.plan;
}

/** Rates an index for the query; a score of 0 if neither its bounds nor its order help. */
function consider(index: Index, alternatives: Leaf[][], { sort, fields, whole }: Requirements): Candidate | undefined {
  const { partial } = index;
  if (partial && !alternatives.every((conditions) => impliesPartial(conditions, partial))) return undefined;
  const bounds = indexBounds(index, alternatives);
  const direction = sort.length === 0 ? 1 : sortDirection(index, alternatives, sort);
  const sorted = direction !== undefined;
  const exact = whole && bounds.exact;
  const covers = exact && direction === 1 && fields !== undefined && coversFields(index, fields);
  return {
    plan: {
      stage: 'IXSCAN',
      index,
      intervals: bounds.intervals,
      reverse: direction === -1,
      sorted,
      exact,
      covers,
      contains: whole ? containedText(index, alternatives[0] ?? []) : undefined,
    },
    score: score(index, bounds, sort.length > 0 && sorted) + (covers && bounds.points > 0 ? COVERS : 0),
    bounded: bounds.points > 0 || bounds.range,
  };
}

/** The longest text that a condition searches for inside one of the index's fields. */
function containedText(index: Index, conditions: Leaf[]): Buffer | undefined {
  let longest: string | undefined;
  for (const leaf of conditions) {
    if (leaf.type !== 'REGEX' || leaf.regex.literal === undefined) continue;
    const { literal } = leaf.regex;
    const isHere = index.fields.some((field) => field.direction === 1 && field.path.dotted === leaf.path.dotted);
    if (isHere && literal.length > (longest?.length ?? 0)) longest = literal;
  }
  // Without its type and its terminator, the key of a text is part of the keys of all texts that contain it.
  return longest === undefined ? undefined : keyOf(longest).subarray(1, -1);
}

function score(index: Index, bounds: Bounds, givesOrder: boolean): number {
  if (index.unique && bounds.points === index.fields.length) return UNIQUE;
  const useful = bounds.points * 100 + (bounds.range ? 40 : 0) + (givesOrder ? 60 : 0);
  // Of two equally useful indexes, prefer the one with fewer entries.
  return useful === 0 ? 0 : useful + (index.partial ? 5 : 0) + fieldsOutside(index) * 100 - index.fields.length * 0.1;
}

/** The number of fields that a partial index binds by its filter alone: it has no entries with other values. */
function fieldsOutside({ partial, fields }: Index): number {
  if (!partial) return 0;
  const bound = fieldsOf(partial);
  for (const { path } of fields) bound.delete(path.parts[0] ?? '');
  return bound.size;
}

/** 1 or -1 if reading the index forwards or backwards gives the order, undefined if neither does. */
function sortDirection(index: Index, alternatives: Leaf[][], sort: SortField[]): 1 | -1 | undefined {
  const constant = constantFields(index, alternatives);
  // All fields of a unique index are bound, so there is at most one document.
  if (index.unique && constant.size === index.fields.length) return 1;
  let direction: 1 | -1 | undefined;
  let at = 0;
  for (const field of sort) {
    // Documents sort by the least or greatest element of an array, which the index order doesn't reflect.
    if (index.multikeyFields.has(field.path.dotted)) return undefined;
    let next = index.fields[at];
    while (next && next.path.dotted !== field.path.dotted && constant.has(next.path.dotted)) {
      at += 1;
      next = index.fields[at];
    }
    if (next?.path.dotted !== field.path.dotted) {
      if (constant.has(field.path.dotted)) continue;
      return undefined;
    }
    at += 1;
    if (constant.has(field.path.dotted)) continue;
    const needed = next.direction === field.direction ? 1 : -1;
    if (direction !== undefined && direction !== needed) return undefined;
    direction = needed;
  }
  return direction ?? 1;
}
