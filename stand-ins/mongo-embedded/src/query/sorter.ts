import { toDouble } from '../bson/numbers.ts';
import { compare } from '../bson/comparator.ts';
import { isDoc, isNumber } from '../bson/values.ts';
import type { Doc, Value } from '../bson/values.ts';
import { CommandError, outsideProfile } from '../errors.ts';
import { present } from '../present.ts';
import { keyValues, path } from './element-path.ts';
import type { Path } from './element-path.ts';

/** One field of a sort or of an index. */
export interface SortField {
  path: Path;
  direction: 1 | -1;
}

/**
 * Parses a sort specification.
 * @param spec such as `{date: -1, _id: 1}`
 * @throws CommandError 15975 for a direction other than 1 and -1, 115 for `$meta`
 */
export function parseSort(spec: Doc): SortField[] {
  return [...spec].map(([name, value]) => {
    if (isDoc(value)) throw outsideProfile('A sort by $meta');
    const direction = isNumber(value) ? toDouble(value) : 0;
    if (direction !== 1 && direction !== -1) {
      throw new CommandError(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
    }
    if (name === '') throw new CommandError(15976, "FieldPath must not end with a '.' or be empty");
    if (name.startsWith('$')) throw outsideProfile(`A sort by ${name}`);
    return { path: path(name), direction };
  });
}

/** The sort key of a document: for an array, the least element ascending, the greatest descending. */
export function sortKey(fields: SortField[], doc: Doc): SortKeyPart[] {
  return fields.map((field) => {
    const { values, emptyArray } = keyValues(doc, field.path);
    let best: SortKeyPart = emptyArray ? EMPTY_ARRAY : { value: values[0] };
    for (const value of values) {
      if (compareParts({ value }, best) * field.direction < 0) best = { value };
    }
    return best;
  });
}

interface SortKeyPart {
  value: Value | undefined;
  emptyArray?: boolean;
}

/** An empty array sorts before null. */
const EMPTY_ARRAY: SortKeyPart = { value: null, emptyArray: true };

function compareParts(a: SortKeyPart, b: SortKeyPart): number {
  if (a.emptyArray || b.emptyArray) {
    if (a.emptyArray && b.emptyArray) return 0;
    return compare(a.emptyArray ? null : a.value, b.emptyArray ? null : b.value) || (a.emptyArray ? -1 : 1);
  }
  return compare(a.value, b.value);
}

/** Compares two sort keys made by {@link sortKey}. */
export function compareSortKeys(fields: SortField[], a: SortKeyPart[], b: SortKeyPart[]): number {
  for (const [at, { direction }] of fields.entries()) {
    const order = compareParts(present(a[at]), present(b[at]));
    if (order !== 0) return order * direction;
  }
  return 0;
}
