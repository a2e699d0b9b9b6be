import type { Doc, Value } from '../bson/values.ts';
import { present } from '../present.ts';

/** A field path of a filter, split at its dots. */
export interface Path {
  dotted: string;
  parts: string[];
}

/** @param dotted a field path such as `lines.0.name` */
export function path(dotted: string): Path {
  return { dotted, parts: dotted.split('.') };
}

/**
 * Called with each value that a path leads to; `index` is the position in the outermost array on the way.
 * Returning true stops the traversal.
 */
export type Visit = (value: Value | undefined, index?: number) => boolean;

const DIGITS = /^\d+$/;

/**
 * Traverses a path from a document, through arrays on the way, like MongoDB's ElementPath.
 * A missing field is visited as undefined; elements of arrays on the way that aren't documents are skipped.
 * @param doc where the path starts
 * @param parts the path
 * @param from the part to start with
 * @param leafArrays whether the elements of an array at the end are visited before the array itself
 * @param visit called with each value
 * @returns whether `visit` returned true
 */
export function walk(doc: Doc, parts: string[], from: number, leafArrays: boolean, visit: Visit): boolean {
  let current = doc;
  for (let at = from; at < parts.length; at += 1) {
    const value = current.get(present(parts[at]));
    const last = at === parts.length - 1;
    if (Array.isArray(value)) return walkArray(value, parts, at + 1, leafArrays, visit);
    if (last) return visit(value);
    if (!(value instanceof Map)) return visit(undefined);
    current = value;
  }
  return false;
}

function walkArray(list: Value[], parts: string[], from: number, leafArrays: boolean, visit: Visit): boolean {
  if (from === parts.length) {
    return (leafArrays && list.some((item, index) => visit(item, index))) || visit(list);
  }
  const part = present(parts[from]);
  const offset = DIGITS.test(part) ? Number(part) : -1;
  return list.some((item, index) => {
    const inside: Visit = (value) => visit(value, index);
    // MongoDB tries a number first as a field name of the element, then as a position.
    if (item instanceof Map && walk(item, parts, from, leafArrays, inside)) return true;
    if (index !== offset) return false;
    if (from === parts.length - 1) return visit(item, index);
    if (item instanceof Map) return walk(item, parts, from + 1, leafArrays, inside);
    return Array.isArray(item) && walkArray(item, parts, from + 1, leafArrays, inside);
  });
}

/**
 * The values of an index or sort field, with array elements separate: an empty array gives its own marker, a missing
 * field undefined.
 * @returns the values, and whether there was an array
 */
export function keyValues(
  doc: Doc,
  { parts }: Path,
): { values: (Value | undefined)[]; emptyArray: boolean; multikey: boolean } {
  const result = { values: [] as (Value | undefined)[], emptyArray: false, multikey: false };
  collect(doc, parts, 0, result);
  return result;
}

function collect(value: Value | undefined, parts: string[], from: number, into: ReturnType<typeof keyValues>): void {
  if (from === parts.length) {
    if (!Array.isArray(value)) {
      into.values.push(value);
    } else {
      into.multikey = true;
      if (value.length === 0) into.emptyArray = true;
      else into.values.push(...value);
    }
    return;
  }
  const part = present(parts[from]);
  if (value instanceof Map) return collect(value.get(part), parts, from + 1, into);
  if (!Array.isArray(value)) {
    into.values.push(undefined);
    return;
  }
  into.multikey = true;
  if (DIGITS.test(part)) return collect(value[Number(part)], parts, from + 1, into);
  if (value.length === 0) into.values.push(undefined);
  for (const item of value) collect(item instanceof Map ? item : undefined, parts, from, into);
}
