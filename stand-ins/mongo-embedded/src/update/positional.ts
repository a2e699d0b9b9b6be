import { isDoc } from '../bson/values.ts';
import type { Doc, Value } from '../bson/values.ts';
import { CommandError, outsideProfile } from '../errors.ts';
import { present } from '../present.ts';
import type { Expression } from '../query/expression.ts';
import { parseFilter } from '../query/filter-parser.ts';
import { matches } from '../query/matcher.ts';
import type { MatchDetails } from '../query/matcher.ts';

/** The conditions of `$[name]`, by name. */
export type ArrayFilters = Map<string, Expression>;

/**
 * Parses the arrayFilters of an update.
 * @throws CommandError 9 for a filter without exactly one name
 */
export function parseArrayFilters(filters: Value[]): ArrayFilters {
  const result: ArrayFilters = new Map();
  for (const filter of filters) {
    if (!isDoc(filter)) throw new CommandError(14, 'Each array filter must be an object');
    const names = new Set<string>();
    collectNames(filter, names);
    const [name] = names;
    if (name === undefined || names.size > 1) {
      throw new CommandError(
        9,
        `Error parsing array filter :: caused by :: Expected a single top-level field name, found '${[...names].join("' and '")}'`,
      );
    }
    if (result.has(name))
      throw new CommandError(9, `Found multiple array filters with the same top-level field name ${name}`);
    result.set(name, parseFilter(filter));
  }
  return result;
}

function collectNames(filter: Doc, names: Set<string>): void {
  for (const [field, value] of filter) {
    if (!field.startsWith('$')) names.add(present(field.split('.')[0]));
    else if (Array.isArray(value)) for (const item of value) if (isDoc(item)) collectNames(item, names);
  }
}

/** The names of the array filters that a path uses. */
export function filterNames(parts: string[]): string[] {
  return parts.flatMap((part) => /^\$\[(.+)\]$/.exec(part)?.[1] ?? []);
}

/**
 * Expands the positional parts `$`, `$[]` and `$[name]` of a path to their positions in a document.
 * @param doc the document before the update
 * @param parts the path
 * @param filters of the update
 * @param details what the update's filter matched
 * @returns the concrete paths, in order
 */
export function expandPositions(doc: Doc, parts: string[], filters: ArrayFilters, details: MatchDetails): string[][] {
  const at = parts.findIndex((part) => part.startsWith('$'));
  if (at < 0) return [parts];
  const [before, part, after] = [parts.slice(0, at), present(parts[at]), parts.slice(at + 1)];
  if (part === '$') {
    return expandPositions(doc, [...before, String(matchedPosition(before, details)), ...after], filters, details);
  }
  const list = valueAt(doc, before);
  if (list === undefined) {
    throw new CommandError(
      2,
      `The path '${before.join('.')}' must exist in the document in order to apply array updates.`,
    );
  }
  if (!Array.isArray(list))
    throw new CommandError(2, `Cannot apply array updates to non-array element ${before.join('.')}`);
  const name = part.slice(2, -1);
  return list.flatMap((item, index) => {
    if (name !== '' && !matches(present(filters.get(name)), new Map([[name, item]]))) return [];
    return expandPositions(doc, [...before, String(index), ...after], filters, details);
  });
}

function matchedPosition(before: string[], { arrayMatches }: MatchDetails): number {
  const array = before.join('.');
  const own = arrayMatches.filter((match) => match.path === array || match.path.startsWith(`${array}.`));
  const positions = new Set((own.length > 0 ? own : arrayMatches).map((match) => match.index));
  const [position] = positions;
  if (position === undefined)
    throw new CommandError(2, 'The positional operator did not find the match needed from the query.');
  // Which one MongoDB uses depends on the order in which it tests the conditions.
  if (positions.size > 1)
    throw outsideProfile('The positional operator $ with conditions that match different elements');
  return position;
}

function valueAt(doc: Doc, parts: string[]): Value | undefined {
  let value: Value | undefined = doc;
  for (const part of parts) {
    if (value instanceof Map) value = value.get(part);
    else if (Array.isArray(value) && /^\d+$/.test(part)) value = value[Number(part)];
    else return undefined;
  }
  return value;
}
