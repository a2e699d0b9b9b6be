import { BSONRegExp, MaxKey, MinKey } from 'bson';
import { compare } from '../bson/comparator.ts';
import { toDouble } from '../bson/numbers.ts';
import { isNumber, typeOrder } from '../bson/values.ts';
import type { Doc, Value } from '../bson/values.ts';
import { walk } from './element-path.ts';
import { isLeaf, type Comparison, type Expression, type In, type Leaf, type Regex } from './expression.ts';

/** The array elements that satisfied conditions, for the positional operator `$` of an update. */
export interface MatchDetails {
  arrayMatches: { path: string; index: number }[];
}

/**
 * Whether a document satisfies a filter.
 * @param expression the parsed filter
 * @param doc the document
 * @param details filled with the matching array positions, if given
 */
export function matches(expression: Expression, doc: Doc, details?: MatchDetails): boolean {
  if (isLeaf(expression)) return matchesPath(expression, doc, details);
  switch (expression.type) {
    case 'AND':
      return expression.children.every((child) => matches(child, doc, details));
    case 'OR':
      return expression.children.some((child) => matches(child, doc, details));
    case 'NOR':
      return !expression.children.some((child) => matches(child, doc));
    case 'NOT':
      return !matches(expression.child, doc);
  }
}

function matchesPath(leaf: Leaf, doc: Doc, details?: MatchDetails): boolean {
  const wholeArray = leaf.type === 'SIZE' || leaf.type === 'ELEM_MATCH_OBJECT' || leaf.type === 'ELEM_MATCH_VALUE';
  return walk(doc, leaf.path.parts, 0, !wholeArray, (value, index) => {
    if (!matchesValue(leaf, value)) return false;
    if (details) {
      const element = wholeArray && index === undefined ? matchingElement(leaf, value) : index;
      if (element !== undefined) details.arrayMatches.push({ path: leaf.path.dotted, index: element });
    }
    return true;
  });
}

function matchingElement(leaf: Leaf, value: Value | undefined): number | undefined {
  if (!Array.isArray(value) || leaf.type === 'SIZE') return undefined;
  return value.findIndex((item) => matchesElement(leaf, item));
}

/** Whether one value satisfies a condition, without looking into array elements. */
function matchesValue(leaf: Leaf, value: Value | undefined): boolean {
  switch (leaf.type) {
    case 'COMPARE':
      return matchesComparison(leaf, value);
    case 'IN':
      return matchesIn(leaf, value);
    case 'REGEX':
      return matchesRegex(leaf, value);
    case 'EXISTS':
      return value !== undefined;
    case 'SIZE':
      return Array.isArray(value) && value.length === leaf.size;
    case 'ELEM_MATCH_OBJECT':
    case 'ELEM_MATCH_VALUE':
      return Array.isArray(value) && value.some((item) => matchesElement(leaf, item));
  }
}

function matchesElement(leaf: Leaf, item: Value): boolean {
  if (leaf.type === 'ELEM_MATCH_VALUE') return matchesSingle({ type: 'AND', children: leaf.children }, item);
  const doc = asDoc(item);
  return leaf.type === 'ELEM_MATCH_OBJECT' && doc !== undefined && matches(leaf.child, doc);
}

/** `$elemMatch` matches a nested array as a document whose field names are the positions. */
function asDoc(item: Value): Doc | undefined {
  if (item instanceof Map) return item;
  return Array.isArray(item) ? new Map(item.map((value, index) => [String(index), value])) : undefined;
}

/**
 * Whether a single value satisfies conditions that have no path of their own, as inside `$elemMatch` and `$pull`.
 * @param expression conditions on the value itself
 * @param value the value
 */
export function matchesSingle(expression: Expression, value: Value): boolean {
  if (isLeaf(expression)) return matchesValue(expression, value);
  switch (expression.type) {
    case 'AND':
      return expression.children.every((child) => matchesSingle(child, value));
    case 'OR':
      return expression.children.some((child) => matchesSingle(child, value));
    case 'NOR':
      return !expression.children.some((child) => matchesSingle(child, value));
    case 'NOT':
      return !matchesSingle(expression.child, value);
  }
}

function isNaNValue(value: Value | undefined): boolean {
  return isNumber(value) && Number.isNaN(toDouble(value));
}

function matchesComparison({ operator, value: operand }: Comparison, value: Value | undefined): boolean {
  const inclusive = operator === 'eq' || operator === 'lte' || operator === 'gte';
  if (operand === null) return inclusive && (value === null || value === undefined);
  if (value === undefined || typeOrder(value) !== typeOrder(operand)) {
    // MinKey and MaxKey are the only operands that compare with values of other types.
    if (operand instanceof MinKey) return operator === 'gt' || operator === 'gte';
    return operand instanceof MaxKey && (operator === 'lt' || operator === 'lte');
  }
  if (isNaNValue(value) || isNaNValue(operand)) return inclusive && isNaNValue(value) && isNaNValue(operand);
  const order = compare(value, operand);
  switch (operator) {
    case 'eq':
      return order === 0;
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
  }
}

function matchesIn({ values, regexes }: In, value: Value | undefined): boolean {
  return (
    values.some((item) =>
      item === null ? value === null || value === undefined : value !== undefined && compare(item, value) === 0,
    ) || regexes.some((regex) => matchesRegex(regex, value))
  );
}

function matchesRegex({ pattern, options, regex }: Regex, value: Value | undefined): boolean {
  if (typeof value === 'string') return regex.test(value);
  return value instanceof BSONRegExp && value.pattern === pattern && value.options === options;
}
