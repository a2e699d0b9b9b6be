import type { Document } from 'mongodb';
import type { ThreeServices } from '../support/three-services.ts';

/** A record as stored in the database. */
export type Raw = Document;

/** A query, by parameter. */
export type Query = Readonly<Record<string, string | undefined>>;

/** The meaning of one query parameter of a list. */
export interface FilterModel {
  /** Values worth querying: some that match records and some that don't. @param records - all of the list */
  readonly values: (records: readonly Raw[]) => readonly string[];
  /** Whether the record is in the list for this value. */
  readonly matches: (record: Raw, value: string, query: Query) => boolean;
  /** The list is never queried without it. */
  readonly required?: true;
}

type Value = string | number | Date;

/** Sort keys in order; {@link byId} comes last. */
type OrderModel = readonly Field[];
type Field = readonly [value: (record: Raw) => Value, direction: 1 | -1];

/** Ends every order: no two records are equal. */
export const byId = (direction: 1 | -1): Field => [({ _id }) => String(_id), direction];

/** A model of a list in memory, based on what its screen promises and independent of the service's code. */
export interface ListModel {
  /** All records that the list could show. */
  readonly records: (services: ThreeServices) => Promise<Raw[]>;
  /** Id of a row on the wire, if it isn't `_id`. */
  readonly rowId?: (row: Raw) => string;
  /** By parameter of the query, and by parameter of the path; every list takes `limit`, `cursor` and `sort`. */
  readonly filters: Readonly<Record<string, FilterModel>>;
  /** Records that the list leaves out for this query, whatever its filters. */
  readonly leavesOut?: (record: Raw, query: Query) => boolean;
  /** Parameters that request something other than a list. */
  readonly notFilters?: readonly string[];
  /** By the name that a client sends. */
  readonly orders: Readonly<Record<string, OrderModel>>;
  readonly usualOrder: (query: Query) => string;
}

/** The ids of the records that match a query, in order. */
export function answerOf(model: ListModel, records: readonly Raw[], query: Query): string[] {
  const filters = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && Object.hasOwn(model.filters, entry[0]),
  );
  // An empty search finds everything.
  const found = records.filter(
    (record) =>
      !model.leavesOut?.(record, query) &&
      filters.every(([name, value]) => value === '' || model.filters[name]?.matches(record, value, query)),
  );
  const order = model.orders[query['sort'] ?? model.usualOrder(query)];
  if (!order) throw new Error(`the model has no order ${query['sort'] ?? model.usualOrder(query)}`);
  return found.toSorted((a, b) => compare(order, a, b)).map(({ _id }) => String(_id));
}

function compare(order: OrderModel, a: Raw, b: Raw): number {
  for (const [value, direction] of order) {
    const [left, right] = [value(a), value(b)];
    // Databases compare text by its UTF-8 bytes; JavaScript compares UTF-16 units.
    const difference =
      typeof left === 'string' && typeof right === 'string'
        ? Buffer.compare(Buffer.from(left), Buffer.from(right))
        : Number(left) - Number(right);
    if (difference !== 0) return difference * direction;
  }
  return 0;
}
