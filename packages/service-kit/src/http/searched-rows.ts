import { BSON, ObjectId, type Collection, type Document, type Filter, type Sort } from 'mongodb';

/**
 * Fields in order, 1 ascending, -1 descending. Every record must have all of them, never null, or paging would miss
 * rows.
 */
export type SortSpec = Readonly<Record<string, 1 | -1>>;

/** Conditions that a row must all meet; each finds its rows by an index of its own. The first that finds few is used. */
export type Conditions<Row> = readonly Filter<Row>[];

/** Alternatives: no index serves all of them, so each is read apart. */
export type Search<Row> = readonly Conditions<Row>[];

/** So many rows of one condition are matched against the others; to find a page among more, they are read in its order. */
const few = 5_000;

/** How the rows of some conditions are found. */
interface Reading<Row> {
  readonly all: Filter<Row>;
  /** The one of several conditions that only few rows meet, or else the first. */
  readonly by?: Filter<Row> | undefined;
  readonly isFew: boolean;
}

/** Plans to read the rows of some conditions: an index serves one of several, and only counting tells which one finds few. */
async function readingOf<Row extends Document>(
  collection: Collection<Row>,
  conditions: Conditions<Row>,
): Promise<Reading<Row>> {
  const all = allOf(conditions);
  const given = conditions.filter(isGiven);
  if (given.length < 2) return { all, isFew: false };
  for (const by of given)
    if ((await collection.countDocuments(by, { limit: few + 1 })) <= few) return { all, by, isFew: true };
  return { all, by: given[0], isFew: false };
}

const isGiven = <Row extends Document>(condition: Filter<Row>): boolean => Object.keys(condition).length > 0;

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
  readonly #readings: Promise<readonly Reading<Row>[]>;

  constructor(collection: Collection<Row>, search: Search<Row>) {
    this.#collection = collection;
    this.#readings = Promise.all(search.map((conditions) => readingOf(collection, conditions)));
  }

  /** The first rows in order, each once. */
  async first({ sort, limit, projection, beyond }: SearchedPage<Row>): Promise<Row[]> {
    const readings = await this.#readings;
    const reads = readings.map(({ all, by, isFew }) =>
      by && isFew
        ? this.#collection
            .aggregate<Row>([
              // The limit keeps the database from reading in order instead.
              { $match: by },
              { $limit: few + 1 },
              { $match: beyond(all) },
              { $sort: sort },
              { $limit: limit },
              ...(Object.keys(projection).length > 0 ? [{ $project: projection }] : []),
            ])
            .toArray()
        : this.#collection
            .find<Row>(beyond(all), { projection })
            .sort(sort as Sort)
            .limit(limit)
            .batchSize(limit + 1)
            .toArray(),
    );
    return mergeRows(await Promise.all(reads), sort).slice(0, limit);
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
    const pipeline = [{ $match: by }, { $limit: few + 1 }, { $match: rows }, { $count: 'rows' }];
    const [counted] = await this.#collection.aggregate<{ readonly rows: number }>(pipeline).toArray();
    return counted?.rows ?? 0;
  }
}

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
