import { decode } from '../bson/decode.ts';
import { encode } from '../bson/encode.ts';
import type { Doc, Value } from '../bson/values.ts';
import { CommandError } from '../errors.ts';
import type { Collection } from '../storage/catalogue.ts';
import type { Store } from '../storage/store.ts';
import type { Expression } from './expression.ts';
import { matches } from './matcher.ts';
import type { MatchDetails } from './matcher.ts';
import { plan } from './planner.ts';
import type { Plan } from './planner.ts';
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
}

/** A document that matches. */
export interface Match extends Found {
  doc: Doc;
  details: MatchDetails;
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
    this.plan = plan(store, collection, query.filter, query.sort, query.hint);
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

  /** Number of matches after skip and within limit, counted from the index alone if its bounds fully express the filter. */
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
    if (this.plan.stage === 'COLLSCAN' || !this.plan.exact) return undefined;
    const { index, intervals } = this.plan;
    return intervals.reduce((total, { from, to }) => total + this.store.countKeys(index.id, from, to, most - total), 0);
  }

  private *found(): Generator<Match> {
    const { filter, skip, limit } = this.query;
    const wanted = this.plan.sorted && limit > 0 ? skip + limit : 0;
    for (const { rid, bytes } of scan(this.store, this.collection, this.plan, this.statistics, wanted, this.overlay)) {
      const doc = decode(bytes);
      const details: MatchDetails = { arrayMatches: [] };
      if (matches(filter, doc, details)) yield { rid, bytes, doc, details };
    }
  }

  /** Keeps the bytes, because decoded documents take several times as much memory. */
  private *sorted(): Generator<Match> {
    const { sort } = this.query;
    const keyed: { rid: number; bytes: Buffer; details: MatchDetails; key: ReturnType<typeof sortKey> }[] = [];
    let total = 0;
    for (const { rid, bytes, doc, details } of this.found()) {
      total += bytes.length;
      if (total > SORT_MEMORY_BYTES) {
        throw new CommandError(
          292,
          `Sort exceeded memory limit of ${SORT_MEMORY_BYTES} bytes, but did not opt in to external sorting.`,
        );
      }
      keyed.push({ rid, bytes, details, key: sortKey(sort, doc) });
    }
    keyed.sort((a, b) => compareSortKeys(sort, a.key, b.key));
    for (const { rid, bytes, details } of keyed) yield { rid, bytes, details, doc: decode(bytes) };
  }
}

/** The bytes for the reply, as stored unless a projection changes them. */
export function* project(matches: Iterable<Match>, projection: Projection | undefined): Generator<Buffer> {
  for (const { bytes, doc } of matches) yield projection ? encode(projection(doc)) : bytes;
}
