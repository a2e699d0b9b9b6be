import { Double, MaxKey, MinKey } from 'bson';
import { inverted, keyOf, successor } from '../bson/key-string.ts';
import { toDouble } from '../bson/numbers.ts';
import { TYPE_ORDER, isNumber, typeOrder } from '../bson/values.ts';
import type { Value } from '../bson/values.ts';
import { present } from '../present.ts';
import type { Index } from '../storage/indexes.ts';
import { isLeaf, type Comparison, type Expression, type Leaf } from './expression.ts';
import { matchesSingle } from './matcher.ts';
import type { SortField } from './sorter.ts';

/** Index keys from `from` on and before `to`. */
export interface Interval {
  from: Buffer;
  to: Buffer;
}

/** The index entries that can match a filter. */
export interface Bounds {
  /** In ascending order, without overlaps. */
  intervals: Interval[];
  /** How many leading fields are bound to single values. */
  points: number;
  /** Whether the next field is bound to a range. */
  range: boolean;
  /** Whether the entries inside are exactly the matching documents, one each. */
  exact: boolean;
}

/** With more alternatives than this, the whole index is scanned. */
const MAX_BRANCHES = 64;
const MAX_INTERVALS = 10_000;

/** NaN sorts before all numbers, but is in no range of them. */
const NAN = keyOf(new Double(Number.NaN));

/** Upper bound of all index keys. */
const END = Buffer.from([0xff]);

/**
 * Converts a filter to alternatives, each a list of conditions that must all hold. Conditions that give no bounds are
 * left out: bounds may be too wide, because every document found is matched against the whole filter.
 */
export function branches(filter: Expression): Leaf[][] {
  if (isLeaf(filter)) return [[filter]];
  switch (filter.type) {
    case 'AND': {
      let result: Leaf[][] = [[]];
      for (const child of filter.children) {
        const alternatives = branches(child);
        if (result.length * alternatives.length > MAX_BRANCHES) continue;
        result = result.flatMap((conditions) => alternatives.map((more) => [...conditions, ...more]));
      }
      return result;
    }
    case 'OR': {
      const result = filter.children.flatMap(branches);
      return result.length > MAX_BRANCHES ? [[]] : result;
    }
    case 'NOT':
      return missing(filter.child);
    case 'NOR':
      return [[]];
  }
}

/** A missing field has the same key as null. */
function missing(child: Expression): Leaf[][] {
  if (child.type !== 'EXISTS') return [[]];
  return [[{ type: 'COMPARE', path: child.path, operator: 'eq', value: null }]];
}

/** Whether a filter is a plain conjunction, which {@link branches} represents completely. */
export function isConjunction(filter: Expression): boolean {
  if (filter.type === 'AND') return filter.children.every(isConjunction);
  return filter.type !== 'OR' && filter.type !== 'NOR' && filter.type !== 'NOT';
}

/** The values that a condition limits its field to, or undefined. Arrays are indexed by element, not as a whole. */
function pointValues(leaf: Leaf, multikey: boolean): Value[] | undefined {
  let values: Value[] | undefined;
  if (leaf.type === 'COMPARE' && leaf.operator === 'eq') values = [leaf.value];
  else if (leaf.type === 'IN' && leaf.regexes.length === 0) values = leaf.values;
  return values?.some((value) => Array.isArray(value) || (value === null && multikey)) ? undefined : values;
}

/** Keys of point values by condition, because every index of a collection needs the same ones. */
const pointKeys = new WeakMap<Leaf, Buffer[]>();

function keysOfPoints(leaf: Leaf, values: Value[], { direction }: SortField): Buffer[] {
  let keys = pointKeys.get(leaf);
  if (!keys) {
    keys = values.map((value) => keyOf(value));
    pointKeys.set(leaf, keys);
  }
  return direction === 1 ? keys : keys.map(inverted);
}

function comparisonInterval({ operator, value }: Comparison): Interval | undefined {
  if (value === null || value instanceof MinKey || value instanceof MaxKey || Array.isArray(value)) return undefined;
  const key = keyOf(value);
  const type = typeOrder(value);
  if (isNumber(value) && Number.isNaN(toDouble(value))) {
    return operator === 'gte' || operator === 'lte' ? { from: NAN, to: successor(NAN) } : { from: NAN, to: NAN };
  }
  const [first, last] = [isNumber(value) ? successor(NAN) : Buffer.from([type]), Buffer.from([type + 1])];
  switch (operator) {
    case 'gt':
      return { from: successor(key), to: last };
    case 'gte':
      return { from: key, to: last };
    case 'lt':
      return { from: first, to: key };
    case 'lte':
      return { from: first, to: successor(key) };
    case 'eq':
      return undefined;
  }
}

/** The intervals of a field's ascending keys that can satisfy a condition. */
function rangeOf(leaf: Leaf): Interval[] | undefined {
  if (leaf.type === 'COMPARE') {
    const interval = comparisonInterval(leaf);
    return interval && [interval];
  }
  if (leaf.type !== 'REGEX' || leaf.regex.prefix === undefined) return undefined;
  // Without its terminator, the key of a string is a prefix of the keys of all longer strings.
  const prefix = keyOf(leaf.regex.prefix).subarray(0, -1);
  return [
    { from: prefix, to: successor(prefix) },
    { from: Buffer.from([TYPE_ORDER.regex]), to: Buffer.from([TYPE_ORDER.regex + 1]) },
  ];
}

function intersect(a: Interval[], b: Interval[]): Interval[] {
  return a.flatMap((x) =>
    b.flatMap((y) => {
      const from = Buffer.compare(x.from, y.from) >= 0 ? x.from : y.from;
      const to = Buffer.compare(x.to, y.to) <= 0 ? x.to : y.to;
      return Buffer.compare(from, to) < 0 ? [{ from, to }] : [];
    }),
  );
}

/** Mirrors intervals for a descending field. */
function directed(field: SortField, intervals: Interval[]): Interval[] {
  if (field.direction === 1) return intervals;
  return intervals.map(({ from, to }) => ({ from: successor(inverted(to)), to: successor(inverted(from)) }));
}

/** The key prefixes or intervals that one field allows in one branch, and whether they fully express its conditions. */
function fieldBounds(
  index: Index,
  field: SortField,
  conditions: Leaf[],
): { points?: Buffer[]; ranges?: Interval[]; exact: boolean } {
  const own = conditions.filter((leaf) => leaf.path.dotted === field.path.dotted);
  const multikey = index.multikeyFields.has(field.path.dotted);
  for (const leaf of own) {
    const values = pointValues(leaf, multikey);
    if (values)
      return {
        points: keysOfPoints(leaf, values, field),
        exact: own.length === 1 && (!multikey || values.length === 1),
      };
  }
  const ranges = own.map(rangeOf).filter((range) => range !== undefined);
  const [first] = ranges;
  if (!first) return { exact: own.length === 0 && !multikey };
  // Different elements of an array may satisfy different conditions, so only one condition can give bounds.
  const intervals = multikey ? first : ranges.reduce(intersect);
  return {
    ranges: directed(field, intervals),
    exact: !multikey && own.every(({ type }) => type === 'COMPARE') && ranges.length === own.length,
  };
}

function branchBounds(index: Index, conditions: Leaf[]): Bounds {
  let prefixes: Buffer[] = [Buffer.alloc(0)];
  let points = 0;
  let exact = conditions.every((leaf) => index.fields.some((field) => field.path.dotted === leaf.path.dotted));
  for (const [at, field] of index.fields.entries()) {
    const bounds = fieldBounds(index, field, conditions);
    exact &&= bounds.exact;
    if (bounds.points && prefixes.length * bounds.points.length <= MAX_INTERVALS) {
      const { points: keys } = bounds;
      prefixes = prefixes.flatMap((prefix) => keys.map((key) => Buffer.concat([prefix, key])));
      points += 1;
      continue;
    }
    // Fields after a gap or a range give no bounds.
    exact &&= index.fields
      .slice(at + 1)
      .every(
        ({ path: { dotted } }) =>
          !index.multikeyFields.has(dotted) && !conditions.some((leaf) => leaf.path.dotted === dotted),
      );
    if (!bounds.ranges) {
      exact &&= bounds.points === undefined;
      break;
    }
    const { ranges } = bounds;
    const intervals = prefixes.flatMap((prefix) =>
      ranges.map(({ from, to }) => ({
        from: Buffer.concat([prefix, from]),
        to: Buffer.concat([prefix, to]),
      })),
    );
    return { intervals: intervals.filter(({ from, to }) => Buffer.compare(from, to) < 0), points, range: true, exact };
  }
  return {
    intervals: prefixes.map((prefix) => ({ from: prefix, to: prefix.length > 0 ? successor(prefix) : END })),
    points,
    range: false,
    exact,
  };
}

/** Sorts intervals and merges adjacent ones. */
function union(intervals: Interval[]): Interval[] {
  const sorted = intervals.toSorted((a, b) => Buffer.compare(a.from, b.from));
  const result: Interval[] = [];
  for (const interval of sorted) {
    const last = result.at(-1);
    if (!last || Buffer.compare(interval.from, last.to) > 0) result.push({ ...interval });
    else if (Buffer.compare(interval.to, last.to) > 0) last.to = interval.to;
  }
  return result;
}

/**
 * The entries of an index that a filter's branches need.
 * @param index the index
 * @param alternatives result of {@link branches}
 */
export function indexBounds(index: Index, alternatives: Leaf[][]): Bounds {
  const all = alternatives.map((conditions) => branchBounds(index, conditions));
  const least = Math.min(...all.map(({ points }) => points));
  return {
    intervals: union(all.flatMap(({ intervals }) => intervals)),
    points: least,
    // A branch that binds more fields to values than another reads no more entries than a range.
    range: all.every(({ points, range }) => range || points > least),
    exact: all.length === 1 && all.every(({ exact }) => exact),
  };
}

/** The index fields that every branch binds to the same single value, which don't affect the order of its entries. */
export function constantFields(index: Index, alternatives: Leaf[][]): Set<string> {
  const result = new Set<string>();
  for (const field of index.fields) {
    const keys = new Set(
      alternatives.map((conditions) => {
        const { points } = fieldBounds(index, field, conditions);
        return points?.length === 1 ? present(points[0]).toString('latin1') : '';
      }),
    );
    if (keys.size === 1 && !keys.has('')) result.add(field.path.dotted);
  }
  return result;
}

/** Whether an index holds these top-level fields of every document it finds, one entry for each. */
export function coversFields(index: Index, fields: ReadonlySet<string>): boolean {
  if (index.multikeyFields.size > 0) return false;
  const held = new Set(index.fields.filter(({ direction }) => direction === 1).map(({ path }) => path.dotted));
  return [...fields].every((field) => held.has(field));
}

/** Whether a partial index holds every document that satisfies these conditions. */
export function impliesPartial(conditions: Leaf[], partial: Expression): boolean {
  if (partial.type === 'AND') return partial.children.every((child) => impliesPartial(conditions, child));
  if (partial.type !== 'COMPARE' && partial.type !== 'IN' && partial.type !== 'EXISTS') return false;
  return conditions.some((leaf) => leaf.path.dotted === partial.path.dotted && impliesLeaf(leaf, partial));
}

function impliesLeaf(leaf: Leaf, partial: Leaf): boolean {
  if (partial.type === 'EXISTS' && (leaf.type === 'EXISTS' || leaf.type === 'REGEX' || leaf.type === 'SIZE'))
    return true;
  const points = pointValues(leaf, false);
  if (points)
    return points.every((value) => (partial.type !== 'EXISTS' || value !== null) && matchesSingle(partial, value));
  if (leaf.type !== 'COMPARE' || leaf.value === null || leaf.value instanceof MinKey || leaf.value instanceof MaxKey)
    return false;
  if (partial.type === 'EXISTS') return true;
  if (partial.type !== 'COMPARE') return false;
  const [narrow, wide] = [comparisonInterval(leaf), comparisonInterval(partial)];
  if (!narrow || !wide || typeOrder(leaf.value) !== typeOrder(partial.value)) return false;
  return Buffer.compare(narrow.from, wide.from) >= 0 && Buffer.compare(narrow.to, wide.to) <= 0;
}
