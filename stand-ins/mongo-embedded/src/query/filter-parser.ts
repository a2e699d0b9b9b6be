import { BSONRegExp } from 'bson';
import { toDouble } from '../bson/numbers.ts';
import { isDoc, isNumber, typeName } from '../bson/values.ts';
import type { Doc, Value } from '../bson/values.ts';
import { CommandError, outsideProfile } from '../errors.ts';
import { FOREIGN_QUERY_OPERATORS, profileRow } from '../profile.ts';
import { path } from './element-path.ts';
import type { Path } from './element-path.ts';
import type { Comparison, Expression, Regex } from './expression.ts';
import { compileRegex } from './regex.ts';

function bad(message: string): CommandError {
  return new CommandError(2, message);
}

function unknownOperator(name: string, where = ''): CommandError {
  return FOREIGN_QUERY_OPERATORS.has(name)
    ? outsideProfile(`The query operator ${name}`)
    : bad(`unknown ${where}operator: ${name}`);
}

/**
 * Parses a filter.
 * @param filter as the client sent it
 * @returns its expression tree
 * @throws CommandError 2 for what MongoDB also rejects, 115 for operators outside the profile
 */
export function parseFilter(filter: Doc): Expression {
  const children: Expression[] = [];
  for (const [name, value] of filter) {
    if (!name.startsWith('$')) children.push(...parseField(path(name), value));
    else if (name === '$and' || name === '$or' || name === '$nor') children.push(parseLogical(name, value));
    else if (name !== '$comment') throw unknownOperator(name, 'top level ');
  }
  const [only] = children;
  return only && children.length === 1 ? only : { type: 'AND', children };
}

function parseLogical(name: '$and' | '$or' | '$nor', value: Value): Expression {
  if (!Array.isArray(value)) throw bad(`${name} must be an array`);
  if (value.length === 0) throw bad('$and/$or/$nor must be a nonempty array');
  const children = value.map((item) => {
    if (!isDoc(item)) throw bad('$or/$and/$nor entries need to be full objects');
    return parseFilter(item);
  });
  return { type: name.slice(1).toUpperCase() as 'AND' | 'OR' | 'NOR', children };
}

/** Whether a value is a document whose first field is an operator: `{$gt: 1}`, but not `{x: 1}` and not a DBRef. */
export function isOperatorDoc(value: Value | undefined): value is Doc {
  if (!isDoc(value)) return false;
  const first = value.keys().next();
  return !first.done && first.value.startsWith('$') && !['$ref', '$id', '$db'].includes(first.value);
}

function parseField(field: Path, value: Value): Expression[] {
  if (value instanceof BSONRegExp) return [regexOf(field, value.pattern, value.options)];
  if (isOperatorDoc(value)) return parseOperators(field, value);
  return [{ type: 'COMPARE', path: field, operator: 'eq', value }];
}

function parseOperators(field: Path, operators: Doc): Expression[] {
  if (operators.has('$options') && !operators.has('$regex')) throw bad('$options needs a $regex');
  const children: Expression[] = [];
  for (const [name, value] of operators) {
    if (name === '$options') continue;
    children.push(parseOperator(field, name, value, operators));
  }
  return children;
}

function parseOperator(field: Path, name: string, value: Value, all: Doc): Expression {
  if (!profileRow('query operator', name)) throw unknownOperator(name);
  switch (name) {
    case '$eq':
      return { type: 'COMPARE', path: field, operator: 'eq', value };
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return comparison(field, name, value);
    case '$ne':
      if (value instanceof BSONRegExp) throw bad("Can't have regex as arg to $ne.");
      return { type: 'NOT', child: { type: 'COMPARE', path: field, operator: 'eq', value } };
    case '$in':
      return parseIn(field, name, value);
    case '$nin':
      return { type: 'NOT', child: parseIn(field, name, value) };
    case '$not':
      return parseNot(field, value);
    case '$exists': {
      const exists: Expression = { type: 'EXISTS', path: field };
      return isTruthy(value) ? exists : { type: 'NOT', child: exists };
    }
    case '$regex':
      return parseRegex(field, value, all.get('$options'));
    case '$size':
      return parseSize(field, value);
    case '$elemMatch':
      return parseElemMatch(field, value);
    default:
      throw unknownOperator(name);
  }
}

function comparison(field: Path, name: string, value: Value): Expression {
  if (value instanceof BSONRegExp) throw bad(`Can't have RegEx as arg to predicate over field '${field.dotted}'.`);
  return { type: 'COMPARE', path: field, operator: name.slice(1) as Comparison['operator'], value };
}

function parseIn(field: Path, name: string, value: Value): Expression {
  if (!Array.isArray(value)) throw bad(`${name} needs an array`);
  const values: Value[] = [];
  const regexes: Regex[] = [];
  for (const item of value) {
    if (isOperatorDoc(item)) throw bad(`cannot nest $ under ${name}`);
    if (item instanceof BSONRegExp) regexes.push(regexOf(field, item.pattern, item.options));
    else values.push(item);
  }
  return { type: 'IN', path: field, values, regexes };
}

function parseNot(field: Path, value: Value): Expression {
  if (value instanceof BSONRegExp) return { type: 'NOT', child: regexOf(field, value.pattern, value.options) };
  if (!isDoc(value)) throw bad('$not needs a regex or a document');
  const [first] = value.keys();
  if (first === undefined) throw bad('$not cannot be empty');
  if (!first.startsWith('$')) throw unknownOperator(first);
  return { type: 'NOT', child: { type: 'AND', children: parseOperators(field, value) } };
}

function parseRegex(field: Path, value: Value, options: Value | undefined): Expression {
  if (options !== undefined && typeof options !== 'string') throw bad('$options has to be a string');
  if (typeof value === 'string') return regexOf(field, value, options ?? '');
  if (!(value instanceof BSONRegExp)) throw bad('$regex has to be a string');
  if (options !== undefined && value.options !== '') {
    throw new CommandError(51075, 'options set in both $regex and $options');
  }
  return regexOf(field, value.pattern, options ?? value.options);
}

function regexOf(field: Path, pattern: string, options: string): Regex {
  return { type: 'REGEX', path: field, pattern, options, regex: compileRegex(pattern, options) };
}

function parseSize(field: Path, value: Value): Expression {
  const size = isNumber(value) ? toDouble(value) : Number.NaN;
  if (!isNumber(value)) throw bad(`Failed to parse $size. Expected a number, not ${typeName(value)}`);
  if (!Number.isInteger(size)) throw bad('Failed to parse $size. Expected an integer');
  if (size < 0) throw bad('Failed to parse $size. Expected a non-negative number');
  return { type: 'SIZE', path: field, size };
}

/**
 * `{$elemMatch: {$gt: 1}}` tests the elements themselves, `{$elemMatch: {x: 1}}` and `{$elemMatch: {$or: …}}`
 * documents.
 */
function parseElemMatch(field: Path, value: Value): Expression {
  if (!isDoc(value)) throw bad('$elemMatch needs an Object');
  const [first = ''] = value.keys();
  if (isOperatorDoc(value) && !['$and', '$or', '$nor', '$expr', '$where'].includes(first)) {
    return { type: 'ELEM_MATCH_VALUE', path: field, children: parseOperators(path(''), value) };
  }
  return { type: 'ELEM_MATCH_OBJECT', path: field, child: parseFilter(value) };
}

/** MongoDB's truthiness: anything but false, null and zero. */
export function isTruthy(value: Value | undefined): boolean {
  if (isNumber(value)) return toDouble(value) !== 0;
  return value !== false && value !== null && value !== undefined;
}

/**
 * Parses the condition of a `$pull` on array elements that aren't documents, such as `{$gte: 2}`.
 * @param operators a document of operators
 */
export function parseElementCondition(operators: Doc): Expression[] {
  return parseOperators(path(''), operators);
}
