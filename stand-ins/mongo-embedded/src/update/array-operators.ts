import { BSONRegExp } from 'bson';
import { compare } from '../bson/comparator.ts';
import { toDouble } from '../bson/numbers.ts';
import { isDoc, isNumber, typeName } from '../bson/values.ts';
import type { Doc, Value } from '../bson/values.ts';
import { CommandError, outsideProfile } from '../errors.ts';
import { isOperatorDoc, parseElementCondition, parseFilter } from '../query/filter-parser.ts';
import { path } from '../query/element-path.ts';
import { matches, matchesSingle } from '../query/matcher.ts';
import { compileRegex } from '../query/regex.ts';
import { compareSortKeys, parseSort, sortKey } from '../query/sorter.ts';
import type { SortField } from '../query/sorter.ts';
import type { Modifier } from './modifier.ts';

function bad(message: string): CommandError {
  return new CommandError(2, message);
}

function arrayAt(field: string, existing: Value | undefined): Value[] {
  if (existing === undefined) return [];
  if (!Array.isArray(existing)) throw bad(`The field '${field}' must be an array but is of type ${typeName(existing)}`);
  return existing;
}

function integer(modifier: string, value: Value): number {
  const number = isNumber(value) ? toDouble(value) : Number.NaN;
  if (!Number.isInteger(number))
    throw bad(`The value for ${modifier} must be an integer value but was given type: ${typeName(value)}`);
  return number;
}

/** Whether this is the form with modifiers, `{$each: […], …}`. */
function hasEach(argument: Value): argument is Doc {
  return isDoc(argument) && argument.has('$each');
}

/** @param code MongoDB's error code for anything but an array, which differs between operators */
function eachOf(operator: string, argument: Doc, code: number): Value[] {
  const each = argument.get('$each');
  if (!Array.isArray(each))
    throw new CommandError(
      code,
      `The argument to $each in ${operator} must be an array but it was of type: ${typeName(each)}`,
    );
  return each;
}

/** `$push`, with `$each`, `$position`, `$slice` and `$sort`. */
export function push(argument: Value): Modifier {
  if (!hasEach(argument)) return (existing, field) => [...arrayAt(field, existing), argument];
  for (const name of argument.keys()) {
    if (!['$each', '$position', '$slice', '$sort'].includes(name)) throw bad(`Unrecognized clause in $push: ${name}`);
  }
  const each = eachOf('$push', argument, 2);
  const position = optional(argument.get('$position'), (value) => integer('$position', value));
  const slice = optional(argument.get('$slice'), (value) => integer('$slice', value));
  const sort = optional(argument.get('$sort'), elementOrder);
  return (existing, field) => {
    const list = [...arrayAt(field, existing)];
    list.splice(position ?? list.length, 0, ...each);
    if (sort) list.sort(sort);
    if (slice === undefined) return list;
    return slice < 0 ? list.slice(slice) : list.slice(0, slice);
  };
}

function optional<T>(value: Value | undefined, parse: (value: Value) => T): T | undefined {
  return value === undefined ? undefined : parse(value);
}

function elementOrder(sort: Value): (a: Value, b: Value) => number {
  if (isDoc(sort)) {
    if (sort.size === 0) throw bad('The sort pattern is empty when it should be a set of fields.');
    for (const direction of sort.values()) elementDirection(direction);
    const fields = parseSort(sort);
    return (a, b) => compareSortKeys(fields, elementSortKey(fields, a), elementSortKey(fields, b));
  }
  const direction = elementDirection(sort);
  return (a, b) => compare(a, b) * direction;
}

function elementDirection(value: Value): 1 | -1 {
  const direction = isNumber(value) ? toDouble(value) : 0;
  if (direction !== 1 && direction !== -1) throw bad('The $sort element value must be either 1 or -1');
  return direction;
}

/** Elements that aren't documents sort like documents without fields. */
function elementSortKey(fields: SortField[], element: Value): ReturnType<typeof sortKey> {
  return sortKey(fields, isDoc(element) ? element : new Map());
}

/** `$addToSet`, with `$each`; equality is that of the comparison order, so 1 equals 1.0. */
export function addToSet(argument: Value): Modifier {
  const values =
    isDoc(argument) && argument.keys().next().value === '$each' ? eachOf('$addToSet', argument, 14) : [argument];
  if (isDoc(argument) && values[0] !== argument && argument.size > 1)
    throw bad('Found unexpected fields after $each in $addToSet');
  return (existing, field) => {
    const list = [...arrayAt(field, existing)];
    for (const value of values) {
      if (!list.some((item) => compare(item, value) === 0)) list.push(value);
    }
    return list;
  };
}

/**
 * `$pull`: for a document of fields, removes the elements that match it as a filter; for operators or a value, those
 * that satisfy it.
 */
export function pull(argument: Value): Modifier {
  const gone = pullCondition(argument);
  return (existing, field) =>
    existing === undefined ? undefined : arrayAt(field, existing).filter((item) => !gone(item));
}

function pullCondition(argument: Value): (item: Value) => boolean {
  if (argument instanceof BSONRegExp) {
    const { pattern, options } = argument;
    const regex = compileRegex(pattern, options);
    return (item) => matchesSingle({ type: 'REGEX', path: path(''), pattern, options, regex }, item);
  }
  if (isOperatorDoc(argument)) {
    const logical = ['$and', '$or', '$nor'].find((name) => argument.has(name));
    if (logical) throw outsideProfile(`$pull with ${logical}`);
    const conditions = parseElementCondition(argument);
    return (item) => conditions.every((condition) => matchesSingle(condition, item));
  }
  if (isDoc(argument)) {
    const filter = parseFilter(argument);
    return (item) => isDoc(item) && matches(filter, item);
  }
  return (item) => compare(item, argument) === 0;
}
