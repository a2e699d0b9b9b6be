import { CommandError, outsideProfile } from '../errors.ts';
import { identical } from '../bson/comparator.ts';
import { isDoc } from '../bson/values.ts';
import type { Value } from '../bson/values.ts';
import type { Collection } from '../storage/catalogue.ts';
import type { Index } from '../storage/indexes.ts';
import type { Expression, Leaf } from './expression.ts';
import { branches, constantFields, impliesPartial, indexBounds } from './index-bounds.ts';
import type { Bounds, Interval } from './index-bounds.ts';
import type { SortField } from './sorter.ts';

/** How the documents of a query are found. */
export type Plan = { stage: 'COLLSCAN'; sorted: boolean } | IndexScan;

/** Documents by the entries of an index. */
export interface IndexScan {
  stage: 'IXSCAN';
  index: Index;
  intervals: Interval[];
  /** From the greatest key to the least. */
  reverse: boolean;
  /** Whether the entries come in the order that the query asks for. */
  sorted: boolean;
}

interface Candidate {
  plan: IndexScan;
  score: number;
}

/**
 * Chooses how to find a query's documents: the index with most fields bound to values, then the one that gives the order.
 * @param collection the collection
 * @param filter the parsed filter
 * @param sort the order asked for, empty for none
 * @param hint the index to use, by name or key pattern, if the client insists
 * @throws CommandError 2 for a hint that names no index
 */
export function plan(collection: Collection, filter: Expression, sort: SortField[], hint?: Value): Plan {
  const alternatives = branches(filter);
  if (hint !== undefined) return hinted(collection, alternatives, sort, hint);
  let best: Candidate | undefined;
  for (const index of collection.indexes) {
    const candidate = consider(index, alternatives, sort);
    if (candidate && candidate.score > (best?.score ?? 0)) best = candidate;
  }
  return best?.plan ?? { stage: 'COLLSCAN', sorted: sort.length === 0 };
}

function hinted(collection: Collection, alternatives: Leaf[][], sort: SortField[], hint: Value): Plan {
  if (isDoc(hint) && hint.has('$natural')) throw outsideProfile('The hint $natural');
  const index = collection.indexes.find(({ name, spec }) => isDoc(hint) ? identical(spec.get('key'), hint) : name === hint);
  const candidate = index && consider(index, alternatives, sort);
  if (!candidate) throw new CommandError(2, 'error processing query: planner returned error :: caused by :: hint provided does not correspond to an existing index');
  return candidate.plan;
}

/** What an index would do for the query; a score of 0 when neither its bounds nor its order help. */
function consider(index: Index, alternatives: Leaf[][], sort: SortField[]): Candidate | undefined {
  const { partial } = index;
  if (partial && !alternatives.every((conditions) => impliesPartial(conditions, partial))) return undefined;
  const bounds = indexBounds(index, alternatives);
  const direction = sort.length === 0 ? 1 : sortDirection(index, alternatives, sort);
  const sorted = direction !== undefined;
  return {
    plan: { stage: 'IXSCAN', index, intervals: bounds.intervals, reverse: direction === -1, sorted },
    score: score(index, bounds, sort.length > 0 && sorted),
  };
}

function score(index: Index, bounds: Bounds, givesOrder: boolean): number {
  if (index.unique && bounds.points === index.fields.length) return 10_000;
  const useful = bounds.points * 100 + (bounds.range ? 40 : 0) + (givesOrder ? 60 : 0);
  // Of two that do the same, the one with fewer entries.
  return useful === 0 ? 0 : useful + (index.partial ? 5 : 0) - index.fields.length * 0.1;
}

/** 1 or -1 when reading the index forwards or backwards gives the order, undefined when neither does. */
function sortDirection(index: Index, alternatives: Leaf[][], sort: SortField[]): 1 | -1 | undefined {
  if (index.multikey) return undefined;
  const constant = constantFields(index, alternatives);
  // All fields of a unique index bound: there is one document at most.
  if (index.unique && constant.size === index.fields.length) return 1;
  let direction: 1 | -1 | undefined;
  let at = 0;
  for (const field of sort) {
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
