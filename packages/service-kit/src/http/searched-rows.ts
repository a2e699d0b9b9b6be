import { BSON, ObjectId, type Collection, type Document, type Filter, type Sort } from 'mongodb';
import { rejected } from './problem-error.ts';

/**
 * Fields in order, 1 ascending, -1 descending. Every record must have all of them, never null, or paging would miss
 * rows.
 */
export type SortSpec = Readonly<Record<string, 1 | -1>>;

/** Conditions that a row must all meet; each finds its rows by an index of its own. The first that finds few is used. */
type Conditions<Row> = readonly Filter<Row>[];

/** Alternatives: no index serves all of them, so each is read apart. */
export type Search<Row> = readonly Conditions<Row>[];

/** How many rows are read of a search with several conditions. */
interface SearchBounds {
  /** So many rows of one condition are matched against the others; to find a page among more, they are read in its order. */
  readonly few: number;
  /** Of rows in the page's order; a page that isn't full by then has few rows among many. */
  readonly nextInOrder: number;
  /** Those few are found by the condition that fewest rows meet, if it is no more than this. */
  readonly many: number;
}

const usual: SearchBounds = { few: 5_000, nextInOrder: 20_000, many: 100_000 };

/** How the rows of some conditions are found. */
interface Reading<Row> {
  readonly all: Filter<Row>;
  /** The conditions, if they are several. */
  readonly given: readonly Filter<Row>[];
  /** The one of several conditions that only few rows meet, or else the first. */
  readonly by?: Filter<Row> | undefined;
  readonly isFew: boolean;
}

/**
 * Plans to read the rows of some conditions: an index serves one of several, and only counting tells which one finds few.
 *
 * @param plain - so many conditions need no bound: an index has their rows in order
 */
async function readingOf<Row extends Document>(
  collection: Collection<Row>,
  conditions: Conditions<Row>,
  few: number,
  plain: number,
): Promise<Reading<Row>> {
  const all = allOf(conditions);
  const given = conditions.filter(isGiven);
  if (given.length <= plain) return { all, given: [], isFew: false };
  for (const by of given)
    if ((await collection.countDocuments(by, { limit: few + 1 })) <= few) return { all, given, by, isFew: true };
  return { all, given, by: given[0], isFew: false };
}

const isGiven = <Row extends Document>(condition: Filter<Row>): boolean => Object.keys(condition).length > 0;

/** Whether a condition searches a text. The others are those of the list, whose rows an index has in order. */
const searchesText = <Row extends Document>(condition: Filter<Row>): boolean =>
  JSON.stringify(condition).includes('"$regex"');

function allOf<Row extends Document>(conditions: Conditions<Row>): Filter<Row> {
  const [first = {}, ...others] = conditions.filter(isGiven);
  return others.length === 0 ? first : ({ $and: [first, ...others] } as unknown as Filter<Row>);
}

/** What a page reads of a search. */
export interface SearchedPage<Row extends Document> {
  readonly sort: SortSpec;
  readonly limit: number;
  readonly projection: Document;
  /** Adds the cursor's bounds. */
  readonly beyond: (rows: Filter<Row>) => Filter<Row>;
}

/** The rows of a search, and how many there are at least: neither reads many more rows than one of the conditions finds. */
export class SearchedRows<Row extends Document> {
  readonly #collection: Collection<Row>;
  readonly #bounds: SearchBounds;
  readonly #oncePer: readonly (keyof Row & string)[];
  readonly #readings: Promise<readonly Reading<Row>[]>;

  /** @param oncePer - of the rows that have the same in these fields, only the first is read; such a search is always bounded */
  constructor(
    collection: Collection<Row>,
    search: Search<Row>,
    bounds = usual,
    oncePer: readonly (keyof Row & string)[] = [],
  ) {
    this.#collection = collection;
    this.#bounds = bounds;
    this.#oncePer = oncePer;
    const plain = oncePer.length > 0 ? 0 : 1;
    this.#readings = Promise.all(search.map((conditions) => readingOf(collection, conditions, bounds.few, plain)));
  }

  /**
   * The first rows in order, each once.
   *
   * @throws ProblemError validation_failed if they are too few among too many to be found
   */
  async first(page: SearchedPage<Row>): Promise<Row[]> {
    const readings = await this.#readings;
    const reads = await Promise.all(readings.map((reading) => this.#rowsOf(reading, page)));
    return mergeRows(reads, page.sort).slice(0, page.limit);
  }

  async #rowsOf({ all, given, by, isFew }: Reading<Row>, page: SearchedPage<Row>): Promise<Row[]> {
    const { sort, limit, projection, beyond } = page;
    if (!by)
      return this.#collection
        .find<Row>(beyond(all), { projection })
        .sort(sort as Sort)
        .limit(limit)
        .batchSize(limit + 1)
        .toArray();
    if (isFew) return this.#matching(all, { by, atMost: this.#bounds.few }, page);
    const list = allOf(given.filter((condition) => !searchesText(condition)));
    const next = await this.#read(
      [{ $match: beyond(list) }, { $sort: sort }, { $limit: this.#bounds.nextInOrder }, { $match: all }],
      page,
    );
    if (next.length === limit) return next;
    const fewest = await this.#fewest(given);
    if (fewest) return this.#matching(all, { by: fewest, atMost: this.#bounds.many }, page);
    throw rejected('q', tooBroad, { detail: tooBroad });
  }

  /** Reads the rows of one condition, and sorts those that meet all. */
  #matching(
    all: Filter<Row>,
    { by, atMost }: { readonly by: Filter<Row>; readonly atMost: number },
    page: SearchedPage<Row>,
  ): Promise<Row[]> {
    return this.#read(
      // The limit keeps the database from reading in order instead.
      [{ $match: by }, { $limit: atMost + 1 }, { $match: page.beyond(all) }, { $sort: page.sort }],
      page,
    );
  }

  /** @param stages - that find the rows in order */
  async #read(stages: readonly Document[], { sort, limit, projection }: SearchedPage<Row>): Promise<Row[]> {
    const projecting = projected(projection);
    if (this.#oncePer.length === 0)
      return this.#collection.aggregate<Row>([...stages, { $limit: limit }, ...projecting]).toArray();
    const each = Object.fromEntries(this.#oncePer.map((field) => [field, `$${field}`]));
    const order = Object.fromEntries(Object.entries(sort).map(([field, direction]) => [`row.${field}`, direction]));
    const once = [{ $group: { _id: each, row: { $first: '$$ROOT' } } }, { $sort: order }, { $limit: limit }];
    const rows = await this.#collection.aggregate<{ readonly row: Row }>([...stages, ...projecting, ...once]).toArray();
    return rows.map(({ row }) => row);
  }

  /** The condition that fewest rows meet; `undefined` if each finds too many. */
  async #fewest(given: readonly Filter<Row>[]): Promise<Filter<Row> | undefined> {
    let [least, found]: [number, Filter<Row> | undefined] = [this.#bounds.many + 1, undefined];
    for (const condition of given) {
      const count = await this.#collection.countDocuments(condition, { limit: least });
      if (count < least) [least, found] = [count, condition];
    }
    return found;
  }

  /** @param atMost - counting stops there */
  async count(atMost: number): Promise<{ readonly count: number; readonly exact: boolean }> {
    let [count, exact] = [0, true];
    const before: Filter<Row>[] = [];
    for (const { all, by, isFew } of await this.#readings) {
      if (count >= atMost) break;
      const rest = (before.length > 0 ? { $and: [all, { $nor: [...before] }] } : all) as Filter<Row>;
      before.push(all);
      count += by
        ? await this.#countWithin(by, rest)
        : await this.#collection.countDocuments(rest, { limit: atMost - count });
      exact &&= by === undefined || isFew;
    }
    return { count: Math.min(count, atMost), exact };
  }

  async #countWithin(by: Filter<Row>, rows: Filter<Row>): Promise<number> {
    const pipeline = [{ $match: by }, { $limit: this.#bounds.few + 1 }, { $match: rows }, { $count: 'rows' }];
    const [counted] = await this.#collection.aggregate<{ readonly rows: number }>(pipeline).toArray();
    return counted?.rows ?? 0;
  }
}

const tooBroad = 'This finds too many to search through. Add a word, or more letters.';

const projected = (projection: Document): Document[] =>
  Object.keys(projection).length > 0 ? [{ $project: projection }] : [];

/** A search as one filter. */
export function searchFilter<Row extends Document>(search: Search<Row>): Filter<Row> {
  const [first = {}, ...others] = search.map(allOf);
  return others.length === 0 ? first : ({ $or: [first, ...others] } as unknown as Filter<Row>);
}

/** Whether one index serves all of a search. */
export function isPlain<Row extends Document>(search: Search<Row>): boolean {
  return search.length === 1 && search.flat().filter(isGiven).length < 2;
}

/** The first rows of several sorted reads, each row once. */
function mergeRows<Row extends Document>(reads: readonly (readonly Row[])[], sort: SortSpec): Row[] {
  const [only, ...others] = reads;
  if (only && others.length === 0) return [...only];
  const byId = new Map(reads.flat().map((row) => [String(row['_id']), row]));
  return [...byId.values()].sort((a, b) => {
    for (const [field, direction] of Object.entries(sort)) {
      const order = compare(a[field], b[field]);
      if (order !== 0) return order * direction;
    }
    return 0;
  });
}

/** As the database sorts values of one type. */
function compare(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  const [one, other] = [sortable(a), sortable(b)];
  return one < other ? -1 : Number(one > other);
}

function sortable(value: unknown): number | string {
  if (value instanceof ObjectId) return value.toHexString();
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'number') return value;
  throw new Error(`a row can’t be sorted by ${BSON.EJSON.stringify(value)}`);
}
