import { BSON, ObjectId, type Collection, type Document, type Filter } from 'mongodb';

/**
 * Fields in order, 1 ascending, -1 descending. Every record must have all of them, never null, or paging would miss
 * rows.
 */
export type SortSpec = Readonly<Record<string, 1 | -1>>;

/**
 * The alternatives of a filter's `$or`, each with the other conditions, for a list that reads each by an index of its own: in
 * order, no index serves all of them.
 */
export function alternativesOf<Row extends Document>({ $or, ...others }: Filter<Row>): Filter<Row>[] {
  if ($or === undefined) return [others as Filter<Row>];
  return $or.map((one) => ({ $and: [others, one] }) as unknown as Filter<Row>);
}

/** The first rows of several sorted reads, each row once. */
export function mergeRows<Row extends Document>(reads: readonly (readonly Row[])[], sort: SortSpec): Row[] {
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

/** How many rows match any of the alternatives. @param atMost - counting stops there */
export async function countAlternatives<Row extends Document>(
  collection: Collection<Row>,
  alternatives: readonly Filter<Row>[],
  atMost: number,
): Promise<number> {
  let count = 0;
  for (const [at, filter] of alternatives.entries()) {
    if (count >= atMost) break;
    const others = alternatives.slice(0, at);
    const rest = others.length === 0 ? filter : ({ $and: [filter, { $nor: others }] } as unknown as Filter<Row>);
    count += await collection.countDocuments(rest, { limit: atMost - count });
  }
  return count;
}
