import type { Document } from 'mongodb';
import type { ThreeServices } from '../support/three-services.ts';

/** A record as the database has it. */
export type Raw = Document;

/** The query of a question, by parameter. */
export type Query = Readonly<Record<string, string | undefined>>;

/** What one parameter of a list's query means. */
export interface FilterModel {
  /** Values worth asking: of the records, and of none. @param records - all of the list */
  readonly values: (records: readonly Raw[]) => readonly string[];
  /** Whether the record is in a list that is asked for this value. */
  readonly matches: (record: Raw, value: string, query: Query) => boolean;
  /** The list is never asked without it. */
  readonly required?: true;
}

type Value = string | number | Date;

/** Fields in order, as the order of a list reads them; {@link byId} comes last. */
export type OrderModel = readonly Field[];
type Field = readonly [value: (record: Raw) => Value, direction: 1 | -1];

/** Every order ends with it: no two records are equal. */
export const byId = (direction: 1 | -1): Field => [({ _id }) => String(_id), direction];

/** A list in memory: written from what its screen promises, in other words than the service's own. */
export interface ListModel {
  /** All records that the list could show. */
  readonly records: (services: ThreeServices) => Promise<Raw[]>;
  /** Id of a row on the wire, where it isn't `_id`. */
  readonly rowId?: (row: Raw) => string;
  /** By parameter of the query, and by parameter of the path; `limit`, `cursor` and `sort` are everybody's. */
  readonly filters: Readonly<Record<string, FilterModel>>;
  /** Parameters that ask for something else than a list. */
  readonly notFilters?: readonly string[];
  /** By the name that a client asks for. */
  readonly orders: Readonly<Record<string, OrderModel>>;
  readonly usualOrder: (query: Query) => string;
}

/** The ids of the records that a question asks for, in their order. */
export function answerOf(model: ListModel, records: readonly Raw[], query: Query): string[] {
  const asked = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined && Object.hasOwn(model.filters, entry[0]));
  // A search for nothing is none.
  const found = records.filter((record) => asked.every(([name, value]) => value === '' || model.filters[name]?.matches(record, value, query)));
  const order = model.orders[query['sort'] ?? model.usualOrder(query)];
  if (!order) throw new Error(`the model has no order ${query['sort'] ?? model.usualOrder(query)}`);
  return found.toSorted((a, b) => compare(order, a, b)).map(({ _id }) => String(_id));
}

function compare(order: OrderModel, a: Raw, b: Raw): number {
  for (const [value, direction] of order) {
    const [left, right] = [value(a), value(b)];
    // Databases compare text by its bytes in UTF-8; JavaScript compares halves of characters.
    const difference = typeof left === 'string' && typeof right === 'string' ? Buffer.compare(Buffer.from(left), Buffer.from(right)) : Number(left) - Number(right);
    if (difference !== 0) return difference * direction;
  }
  return 0;
}
