import { BSONRegExp, Int32 } from 'bson';
import { compare } from '../bson/comparator.ts';
import { add, multiply, negate } from '../bson/numbers.ts';
import { isDoc, isNumber, typeName } from '../bson/values.ts';
import type { Doc, NumberValue, Value } from '../bson/values.ts';
import { CommandError, outsideProfile } from '../errors.ts';
import { present } from '../present.ts';
import { profileRow } from '../profile.ts';
import { isTruthy } from '../query/filter-parser.ts';

/** Computes a value from a document; undefined if a field is missing. */
export type Evaluate = (doc: Doc) => Value | undefined;

/**
 * Compiles an aggregation expression.
 * @param expression a field path (`$name`), an operator document, or a literal
 * @throws CommandError 168 for an unknown operator, 115 for one outside the profile
 */
export function compileExpression(expression: Value): Evaluate {
  if (typeof expression === 'string') return expression.startsWith('$') ? compilePath(expression) : () => expression;
  if (Array.isArray(expression)) {
    const items = expression.map(compileExpression);
    return (doc) => items.map((item) => item(doc) ?? null);
  }
  if (!isDoc(expression)) return () => expression;
  const [first] = expression;
  if (first?.[0].startsWith('$')) {
    if (expression.size > 1)
      throw new CommandError(15983, 'An object representing an expression must have exactly one field');
    return compileOperator(first[0], first[1]);
  }
  const fields = [...expression].map(([name, value]) => [name, compileExpression(value)] as const);
  return (doc) => {
    const result: Doc = new Map();
    for (const [name, evaluate] of fields) {
      const value = evaluate(doc);
      if (value !== undefined) result.set(name, value);
    }
    return result;
  };
}

function compilePath(text: string): Evaluate {
  if (text.startsWith('$$')) {
    const [variable, ...rest] = text.slice(2).split('.');
    if (variable !== 'ROOT' && variable !== 'CURRENT') throw outsideProfile(`The variable $$${variable}`);
    return (doc) => valueAt(doc, rest);
  }
  const parts = text.slice(1).split('.');
  if (parts.includes('')) throw new CommandError(40353, "FieldPath must not end with a '.' or be empty");
  const [name, ...rest] = parts;
  return name !== undefined && rest.length === 0 ? (doc) => doc.get(name) : (doc) => valueAt(doc, parts);
}

/** A path through an array gives an array of the values in each element. */
function valueAt(value: Value | undefined, parts: string[]): Value | undefined {
  let current = value;
  for (const [at, part] of parts.entries()) {
    if (Array.isArray(current))
      return current.map((item) => valueAt(item, parts.slice(at))).filter((item) => item !== undefined);
    if (!(current instanceof Map)) return undefined;
    current = current.get(part);
  }
  return current;
}

function compileOperator(name: string, argument: Value): Evaluate {
  if (!profileRow('expression', name)) throw outsideProfile(`The aggregation expression ${name}`);
  if (name === '$literal') return () => argument;
  if (name === '$cond') return compileCond(argument);
  const args = (Array.isArray(argument) ? argument : [argument]).map(compileExpression);
  switch (name) {
    case '$and':
      return (doc) => args.every((each) => isTruthy(each(doc)));
    case '$or':
      return (doc) => args.some((each) => isTruthy(each(doc)));
    case '$not':
      return exactly(1, name, args, ([value]) => !isTruthy(value));
    case '$ifNull':
      return (doc) => {
        let value: Value | undefined;
        for (const each of args) if ((value = each(doc)) !== null && value !== undefined) return value;
        return value;
      };
    case '$size':
      return exactly(1, name, args, ([list]) => {
        if (!Array.isArray(list))
          throw new CommandError(17124, `The argument to $size must be an array, but was of type: ${typeName(list)}`);
        return new Int32(list.length);
      });
    case '$add':
      return (doc) =>
        arithmetic(
          name,
          args.map((each) => each(doc)),
          add,
        );
    case '$multiply':
      return (doc) =>
        arithmetic(
          name,
          args.map((each) => each(doc)),
          multiply,
        );
    case '$subtract':
      return exactly(2, name, args, ([a, b]) => arithmetic(name, [a, isNumber(b) ? negate(b) : b], add));
    default:
      return compileComparison(name, args);
  }
}

function exactly(
  count: number,
  name: string,
  args: Evaluate[],
  apply: (values: (Value | undefined)[]) => Value | undefined,
): Evaluate {
  if (args.length !== count)
    throw new CommandError(
      16020,
      `Expression ${name} takes exactly ${count} arguments. ${args.length} were passed in.`,
    );
  return (doc) => apply(args.map((each) => each(doc)));
}

const COMPARISONS: Record<string, (order: number) => boolean> = {
  $eq: (order) => order === 0,
  $ne: (order) => order !== 0,
  $gt: (order) => order > 0,
  $gte: (order) => order >= 0,
  $lt: (order) => order < 0,
  $lte: (order) => order <= 0,
};

/** Unlike the query operators of the same names, these compare across types, and a missing field is less than null. */
function compileComparison(name: string, args: Evaluate[]): Evaluate {
  const holds = present(COMPARISONS[name]);
  return exactly(2, name, args, ([a, b]) => {
    if (a === undefined || b === undefined) return holds(a === b ? 0 : a === undefined ? -1 : 1);
    return holds(compare(a, b));
  });
}

function compileCond(argument: Value): Evaluate {
  const parts = isDoc(argument) ? ['if', 'then', 'else'].map((name) => argument.get(name)) : argument;
  if (!Array.isArray(parts) || parts.length !== 3 || parts.includes(undefined))
    throw new CommandError(16020, 'Expression $cond takes exactly 3 arguments');
  const [condition, yes, no] = (parts as [Value, Value, Value]).map(compileExpression) as [
    Evaluate,
    Evaluate,
    Evaluate,
  ];
  return (doc) => (isTruthy(condition(doc)) ? yes(doc) : no(doc));
}

function arithmetic(name: string, values: (Value | undefined)[], combine: typeof add): Value {
  if (values.some((value) => value === null || value === undefined)) return null;
  let total: NumberValue | undefined;
  for (const value of values) {
    if (value instanceof Date) throw outsideProfile(`${name} with a date`);
    if (!isNumber(value))
      throw new CommandError(
        16554,
        `${name} only supports numeric types, not ${value instanceof BSONRegExp ? 'regex' : typeName(value)}`,
      );
    total = total === undefined ? value : combine(total, value);
    if (total === undefined) throw outsideProfile(`${name} beyond the range of a long`);
  }
  return total ?? new Int32(name === '$multiply' ? 1 : 0);
}
