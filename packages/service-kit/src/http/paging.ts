import { BSON, ObjectId, type Collection, type Document, type Filter, type Sort } from 'mongodb';
import { page, streamed, streamedInBatches, type BatchMap, type ListAnswer, type PageTotal } from './answers.ts';
import { rejected, type ProblemError } from './problem-error.ts';
import { requestScope } from './request-scope.ts';
import { isPlain, searchFilter, SearchedRows, type Search, type SortSpec } from './searched-rows.ts';
import { SharedAnswer, SharedAnswers } from './shared-answer.ts';

/** Query parameters of every list. */
export interface PageQuery {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly sort?: string | undefined;
}

export interface PagePlan<
  Row extends Document,
  Element,
  Sorts extends Readonly<Record<string, SortSpec>>,
  Unread extends keyof Row & string = never,
> {
  /** A search with several conditions would otherwise read rows in order until a page is full, or sort all that match one. */
  readonly filter: Filter<Row> | Search<Row>;
  /** A filter for the same rows that counts them from an index alone; default: `filter`. */
  readonly countBy?: Filter<Row> | Counted<Row> | undefined;
  readonly query: PageQuery;
  /** The sort orders a client may name; `_id` is added as a tie-breaker. */
  readonly sorts: Sorts;
  readonly defaultSort: keyof Sorts & string;
  /** Maps a document to its wire shape; in batches if that needs another query. */
  readonly map: ((row: Omit<Row, Unread>) => Element) | BatchMap<Omit<Row, Unread>, Element>;
  /** Fields that only serve searches: reading them would cost as much as all others together. */
  readonly unread?: readonly Unread[];
}

/** Rows counted as a difference: a list that leaves some out needs no index of its own to be counted. */
interface Counted<Row extends Document> {
  readonly all: Filter<Row>;
  /** Those of `all` that the list leaves out; few. */
  readonly but: Filter<Row>;
}

/** Counting stops here, so that a page of a long filtered list costs little more than a page of a short one. */
const countAtMost = 5_000;

/**
 * Answers a list: without `limit`, the whole array, streamed; with `limit`, one page by keyset, which neither skips nor
 * repeats a row when others are added or removed in between.
 *
 * @throws ProblemError validation_failed for an unknown sort or an invalid cursor
 */
export async function readPage<
  Row extends Document,
  Element,
  const Sorts extends Readonly<Record<string, SortSpec>>,
  const Unread extends keyof Row & string = never,
>(collection: Collection<Row>, plan: PagePlan<Row, Element, Sorts, Unread>): Promise<ListAnswer<Element>> {
  const { query, sorts, map, unread = [] } = plan;
  const sortName = query.sort ?? plan.defaultSort;
  const chosen = Object.hasOwn(sorts, sortName) ? sorts[sortName] : undefined;
  if (!chosen) throw fieldProblem('sort', `Sort must be one of ${Object.keys(sorts).join(', ')}`);
  const sort: SortSpec = Object.hasOwn(chosen, '_id') ? chosen : { ...chosen, _id: 1 };
  const list: ListName = { list: requestScope.getStore()?.call ?? collection.collectionName, sortName };
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor, list, sort);
  const beyond = (rows: Filter<Row>): Filter<Row> => (after ? combine(rows, keyset(sort, after)) : rows);
  const projection: Document = Object.fromEntries(unread.map((field) => [field, 0]));
  const search = isSearch(plan.filter) ? plan.filter : [[plan.filter]];

  const { limit } = query;
  if (limit === undefined) {
    const cursor = collection
      .find<Row>(beyond(searchFilter(search)), { projection })
      .sort(sort as Sort)
      .batchSize(200);
    return typeof map === 'function' ? streamed(cursor, map) : streamedInBatches(cursor, map);
  }
  const searched = new SearchedRows(collection, search);
  const { rows, total } = await withTotal(collection, {
    countBy: plan.countBy ?? (isPlain(search) ? searchFilter(search) : searched),
    rows: searched.first({ sort, limit: limit + 1, projection, beyond }),
    isFirst: !after,
    limit,
  });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const elements = typeof map === 'function' ? shown.map(map) : await map.batch(shown);
  return page({ rows: elements, total, next: rows.length > limit && last ? writeCursor(list, sort, last) : undefined });
}

interface RowsRead<Row extends Document> {
  readonly countBy: Filter<Row> | Counted<Row> | SearchedRows<Row>;
  /** One more than the page shows, if there are more. */
  readonly rows: Promise<Row[]>;
  readonly isFirst: boolean;
  readonly limit: number;
}

/** A page's rows with the length of the list. */
async function withTotal<Row extends Document>(
  collection: Collection<Row>,
  { countBy, rows, isFirst, limit }: RowsRead<Row>,
): Promise<{ readonly rows: Row[]; readonly total: PageTotal }> {
  if (countBy instanceof SearchedRows) {
    const read = await rows;
    if (isFirst && read.length <= limit) return { rows: read, total: { count: read.length, exact: true } };
    const { count, exact } = await countBy.count(countAtMost + 1);
    return { rows: read, total: totalOf(count, read.length, exact) };
  }
  const { all, but } = 'but' in countBy ? (countBy as Counted<Row>) : { all: countBy, but: undefined };
  const leftOut = but && (() => collection.countDocuments(but));
  if (Object.keys(all).length === 0) {
    // The collection knows its size; counting 100,000 rows would be most of the response time.
    const size = sizeOf(collection);
    const ask = () => Promise.all([size.ask(), leftOut?.() ?? 0]);
    // A list that fits on one page, as this one did last time, needs no count.
    const asked = isFirst && size.last <= limit ? undefined : ask();
    const [read] = await Promise.all([rows, asked]);
    if (isFirst && read.length <= limit) {
      size.last = read.length;
      return { rows: read, total: { count: read.length, exact: true } };
    }
    const [whole, unseen] = await (asked ?? ask());
    return { rows: read, total: { count: whole - unseen, exact: true } };
  }
  const read = await rows;
  // Nearly every filtered list is shown whole.
  if (isFirst && read.length <= limit) return { rows: read, total: { count: read.length, exact: true } };
  const unseen = (await leftOut?.()) ?? 0;
  const count = (await collection.countDocuments(all, { limit: countAtMost + unseen + 1 })) - unseen;
  return { rows: read, total: totalOf(count, read.length) };
}

/** @param read - rows that are there, whatever was counted */
function totalOf(count: number, read: number, exact = true): PageTotal {
  return { count: Math.min(Math.max(count, read), countAtMost), exact: exact && count <= countAtMost };
}

function isSearch<Row>(filter: Filter<Row> | Search<Row>): filter is Search<Row> {
  return Array.isArray(filter);
}

/** The number of records in a collection. */
class CollectionSize {
  readonly #shared: SharedAnswer<number>;
  /** The size when a list was last read. */
  last = 0;

  constructor(collection: Pick<Collection, 'estimatedDocumentCount'>) {
    this.#shared = new SharedAnswer(() => collection.estimatedDocumentCount());
  }

  async ask(): Promise<number> {
    return (this.last = await this.#shared.ask());
  }
}

/** By collection: its size when a list was last read, and one estimate for all lists that are read meanwhile. */
const sizes = new WeakMap<object, CollectionSize>();

function sizeOf(collection: Pick<Collection, 'estimatedDocumentCount'>): CollectionSize {
  let size = sizes.get(collection);
  if (!size) {
    size = new CollectionSize(collection);
    sizes.set(collection, size);
  }
  return size;
}

/** Filter for the rows after these sort values. The plain bound on the first field lets the database use its index. */
function keyset(sort: SortSpec, values: readonly unknown[]): Document {
  const fields = Object.entries(sort);
  const beyond = (direction: 1 | -1): string => (direction === 1 ? '$gt' : '$lt');
  const [first] = fields;
  if (!first) return {};
  if (fields.length === 1) return { [first[0]]: { [beyond(first[1])]: values[0] } };
  const alternatives = fields.map(([field, direction], at) => ({
    ...Object.fromEntries(fields.slice(0, at).map(([equal], index) => [equal, values[index]])),
    [field]: { [beyond(direction)]: values[at] },
  }));
  return { [first[0]]: { [`${beyond(first[1])}e`]: values[0] }, $or: alternatives };
}

function combine<Row extends Document>(filter: Filter<Row>, keys: Document): Filter<Row> {
  const apart = Object.keys(keys).every((key) => !Object.hasOwn(filter, key));
  return (apart ? { ...filter, ...keys } : { $and: [filter, keys] }) as Filter<Row>;
}

/**
 * The list a cursor belongs to. Another list's rows may have the same fields, so the values alone don't identify it.
 */
interface ListName {
  /** The call that returns the list. */
  readonly list: string;
  readonly sortName: string;
}

function writeCursor({ list, sortName }: ListName, sort: SortSpec, row: Document): string {
  const values = Object.keys(sort).map((field) => {
    const value = field.split('.').reduce<unknown>((part, key) => (part as Document | undefined)?.[key], row);
    if (value === undefined || value === null)
      throw new Error(`a row of the list has no ${field}, so it can't be sorted by ${sortName}`);
    return value;
  });
  return Buffer.from(BSON.EJSON.stringify([list, sortName, ...values])).toString('base64url');
}

function readCursor(cursor: string, { list, sortName }: ListName, sort: SortSpec): unknown[] {
  const [ofList, ofSort, ...keys] = decode(cursor);
  if (ofList !== list || ofSort !== sortName || keys.length !== Object.keys(sort).length || !keys.every(isScalar))
    throw badCursor();
  return keys;
}

function decode(cursor: string): unknown[] {
  try {
    const value: unknown = BSON.EJSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(value)) return value;
  } catch (error) {
    // Whatever EJSON's error, the cursor isn't one of ours.
    throw badCursor(error);
  }
  throw badCursor();
}

/** Only scalars may come from a cursor: an object would be a query operator chosen by the client. */
function isScalar(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return (
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    value instanceof ObjectId ||
    (value instanceof Date && !Number.isNaN(value.getTime()))
  );
}

function badCursor(cause?: unknown): ProblemError {
  return fieldProblem('cursor', 'This cursor isn’t valid for this list. Start again without it', cause);
}

function fieldProblem(field: string, message: string, cause?: unknown): ProblemError {
  return rejected(field, message, { detail: message, cause });
}

/** Escapes a search word for use in a regular expression. */
export function escapeRegex(words: string): string {
  return words.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Filter that matches nothing, for a search without a searchable word: an empty filter would match every row. */
export function noRows<Row extends Document>(): Filter<Row> {
  return { _id: { $in: [] } } as unknown as Filter<Row>;
}

/**
 * Reads a public list once for all concurrent requests for the same page. The read begins after each of these requests,
 * so that they see every change they know of. Whole lists are streamed to each reader separately.
 *
 * @param read - reads a list that is the same for every caller
 */
export function sharedList<Query extends PageQuery, List>(
  read: (query: Query) => Promise<List>,
): (query: Query) => Promise<List> {
  const pages = new SharedAnswers(read);
  return (query) => (query.limit === undefined ? read(query) : pages.ask(query));
}
