import { decode, decodeFields } from '../bson/decode.ts';
import { FieldNames } from '../bson/fields.ts';
import type { Doc, Value } from '../bson/values.ts';
import { CommandError } from '../errors.ts';
import type { Collection } from '../storage/catalogue.ts';
import type { Store } from '../storage/store.ts';
import { coveredDocs } from './covered.ts';
import { fieldsOf } from './expression.ts';
import { coversFields } from './index-bounds.ts';
import type { Expression } from './expression.ts';
import { matches } from './matcher.ts';
import type { MatchDetails } from './matcher.ts';
import { plan } from './planner.ts';
import type { IndexScan, Plan } from './planner.ts';
import type { Projection } from './projection.ts';
import { scan } from './scan.ts';
import type { Found, ScanStatistics } from './scan.ts';
import { compareSortKeys, sortKey } from './sorter.ts';
import type { SortField } from './sorter.ts';

/** A parsed query. */
export interface Query {
  filter: Expression;
  sort: SortField[];
  skip: number;
  /** 0 for no limit. */
  limit: number;
  hint?: Value;
  /** The top-level fields that the caller reads, if not all. */
  fields?: ReadonlySet<string>;
}

/** A matching document. Most queries only pass on its bytes, so it is decoded on demand. */
export class Match implements Found {
  readonly rid: number;
  readonly bytes: Buffer;
  private readonly filter: Expression;
  private decoded: Doc | undefined;

  constructor({ rid, bytes }: Found, filter: Expression) {
    this.rid = rid;
    this.bytes = bytes;
    this.filter = filter;
  }

  get doc(): Doc {
    return (this.decoded ??= decode(this.bytes));
  }

  /** The array elements that matched. */
  get details(): MatchDetails {
    const details: MatchDetails = { arrayMatches: [] };
    matches(this.filter, decodeFields(this.bytes, new FieldNames(fieldsOf(this.filter))), details);
    return details;
  }
}

/** As in MongoDB, the memory limit of a sort without an index, in bytes. */
const SORT_MEMORY_BYTES = 100 * 1024 * 1024;

/** A running query: its plan and, lazily, its matches. */
export class QueryRun {
  readonly plan: Plan;
  readonly statistics: ScanStatistics = { keysExamined: 0, docsExamined: 0 };
  private readonly store: Store;
  private readonly collection: Collection;
  private readonly query: Query;
  private readonly overlay: Map<number, Buffer | null> | undefined;

  /** @param overlay documents that the reading transaction sees differently from storage */
  constructor(store: Store, collection: Collection, query: Query, overlay?: Map<number, Buffer | null>) {
    this.store = store;
    this.collection = collection;
    this.query = query;
    this.overlay = overlay;
    this.plan = plan(store, collection, query);
    if (this.plan.stage === 'COLLSCAN') this.refuseScan();
  }

  /** As MongoDB does with `notablescan`, except where everything is read on purpose. */
  private refuseScan(): void {
    const { store, collection, query } = this;
    if (store.scannable === undefined || !store.isCommented) return;
    const fields = [...fieldsOf(query.filter)].join(', ');
    const order = query.sort.map(({ path }) => path.parts.join('.')).join(', ');
    if (fields === '' && order === '') return;
    const what = [collection.name, fields && `by ${fields}`, order && `in the order of ${order}`]
      .filter(Boolean)
      .join(' ');
    if (!store.scannable.has(what)) throw new CommandError(291, `no index for ${what}`);
  }

  /** The matches in order, after skip and within limit. */
  *matches(): Generator<Match> {
    const { skip, limit } = this.query;
    let position = 0;
    for (const match of this.plan.sorted ? this.found() : this.sorted()) {
      position += 1;
      if (position <= skip) continue;
      yield match;
      if (limit > 0 && position >= skip + limit) return;
    }
  }

  /**
   * The matches with at least the fields that the caller reads, from the index alone if it has all of them.
   *
   * @returns undefined if the documents have to be read
   */
  covered(): Generator<Doc> | undefined {
    const { plan, query } = this;
    const changed = this.overlay !== undefined && this.overlay.size > 0;
    if (plan.stage !== 'IXSCAN' || !plan.covers || !query.fields || changed || query.skip > 0 || query.limit > 0)
      return undefined;
    return coveredDocs(this.store, this.collection, plan, query.fields, this.statistics);
  }

  /**
   * Number of matches after skip and within limit, counted from the index alone if its bounds fully express the filter.
   */
  count(): number {
    const { skip, limit } = this.query;
    const most = limit > 0 ? skip + limit : Number.MAX_SAFE_INTEGER;
    const total = this.overlay && this.overlay.size > 0 ? undefined : this.storedCount(most);
    if (total !== undefined) return Math.max(0, Math.min(total, most) - skip);
    let count = 0;
    for (const _ of this.matches()) count += 1;
    return count;
  }

  private storedCount(most: number): number | undefined {
    const { filter } = this.query;
    if (filter.type === 'AND' && filter.children.length === 0) return this.collection.count;
    if (this.plan.stage === 'COLLSCAN') return undefined;
    const { index, intervals } = this.plan;
    if (!this.plan.exact) return this.countWithPrefix(this.plan, most) ?? this.countCovered(this.plan, most);
    return intervals.reduce((total, { from, to }) => total + this.store.countKeys(index.id, from, to, most - total), 0);
  }

  /**
   * The number of documents with a string, or an array with one, that begins with a prefix; an array may have several
   * entries.
   */
  private countWithPrefix({ index, intervals }: IndexScan, most: number): number | undefined {
    const { filter } = this.query;
    const condition = filter.type === 'AND' && filter.children.length === 1 ? filter.children[0] : filter;
    const [strings, ...others] = intervals;
    if (condition?.type !== 'REGEX' || !condition.regex.isPrefix || !strings || index.partial) return undefined;
    if (index.fields[0]?.path.dotted !== condition.path.dotted || index.fields[0].direction !== 1) return undefined;
    // Stored regular expressions are matched one by one.
    if (others.some(({ from, to }) => this.store.countKeys(index.id, from, to, 1) > 0)) return undefined;
    return this.store.countDocuments(index.id, strings.from, strings.to, most);
  }

  /** The number of matching documents, if the index has all fields of the filter. */
  private countCovered(scanned: IndexScan, most: number): number | undefined {
    const { filter } = this.query;
    const fields = fieldsOf(filter);
    if (!coversFields(scanned.index, fields)) return undefined;
    let count = 0;
    for (const doc of coveredDocs(this.store, this.collection, scanned, fields, this.statistics))
      if (matches(filter, doc) && (count += 1) >= most) break;
    return count;
  }

  private *found(): Generator<Match> {
    const { filter, skip, limit } = this.query;
    const wanted = this.plan.sorted && limit > 0 ? skip + limit : 0;
    const isEmpty = filter.type === 'AND' && filter.children.length === 0;
    const certain = isEmpty || (this.plan.stage === 'IXSCAN' && this.plan.exact);
    const steps = certain ? [] : matchingSteps(filter, this.collection);
    for (const found of scan(this.store, this.collection, this.plan, this.statistics, wanted, this.overlay))
      if (steps.every(({ part, names }) => matches(part, decodeFields(found.bytes, names))))
        yield new Match(found, filter);
  }

  /** Keeps the bytes, because decoded documents take several times as much memory. */
  private *sorted(): Generator<Match> {
    const { sort, filter } = this.query;
    const names = new FieldNames(sort.map(({ path }) => path.parts[0] ?? ''));
    const keyed: { rid: number; bytes: Buffer; key: ReturnType<typeof sortKey> }[] = [];
    let total = 0;
    for (const { rid, bytes } of this.found()) {
      total += bytes.length;
      if (total > SORT_MEMORY_BYTES) {
        throw new CommandError(
          292,
          `Sort exceeded memory limit of ${SORT_MEMORY_BYTES} bytes, but did not opt in to external sorting.`,
        );
      }
      keyed.push({ rid, bytes, key: sortKey(sort, decodeFields(bytes, names)) });
    }
    keyed.sort((a, b) => compareSortKeys(sort, a.key, b.key));
    for (const found of keyed) yield new Match(found, filter);
  }
}

interface MatchingStep {
  readonly part: Expression;
  readonly names: FieldNames;
}

/**
 * A filter in the cheapest order. Arrays that an index reads by element are long, so they are decoded last, for
 * documents that match the rest.
 */
function matchingSteps(filter: Expression, { indexes }: Collection): MatchingStep[] {
  const stepOf = (part: Expression): MatchingStep => ({ part, names: new FieldNames(fieldsOf(part)) });
  if (filter.type !== 'AND') return [stepOf(filter)];
  const arrays = new Set(indexes.flatMap(({ multikeyFields }) => [...multikeyFields]));
  const last = filter.children.filter((child) => [...fieldsOf(child)].some((field) => arrays.has(field)));
  const first = filter.children.filter((child) => !last.includes(child));
  return [first, last].flatMap((children) => (children.length > 0 ? [stepOf({ ...filter, children })] : []));
}

/** The bytes for the reply, as stored unless a projection changes them. */
export function* project(matches: Iterable<Match>, projection: Projection | undefined): Generator<Buffer> {
  for (const { bytes } of matches) yield projection ? projection.ofBytes(bytes) : bytes;
}
