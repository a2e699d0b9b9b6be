import { EJSON } from 'bson';
import { toDouble } from '../bson/numbers.ts';
import { EMPTY_ARRAY_KEY, inverted, keyOf } from '../bson/key-string.ts';
import { isDoc, isNumber, typeName } from '../bson/values.ts';
import type { Doc, Value } from '../bson/values.ts';
import { CommandError, outsideProfile } from '../errors.ts';
import { keyValues, path } from '../query/element-path.ts';
import type { Expression } from '../query/expression.ts';
import { isTruthy, parseFilter } from '../query/filter-parser.ts';
import { matches } from '../query/matcher.ts';
import type { SortField } from '../query/sorter.ts';

/** An index of a collection. */
export interface Index {
  id: number;
  name: string;
  fields: SortField[];
  unique: boolean;
  /** Filter of a partial index: only matching documents are in it. */
  partial?: Expression;
  /** Fields in which some document had an array, and therefore several entries. */
  multikeyFields: Set<string>;
  /** Documents are deleted this many seconds after the date in the index's field. */
  expireAfterSeconds?: number;
  /** As returned by listIndexes. */
  spec: Doc;
}

const OPTIONS = new Set(['v', 'key', 'name', 'unique', 'partialFilterExpression', 'expireAfterSeconds', 'background']);
const MAX_EXPIRE_SECONDS = 2_147_483_647;

/**
 * Checks the specification of a new index and fills in what is missing.
 * @param spec as the client sent it
 * @returns the specification to store
 * @throws CommandError 67 for what MongoDB also rejects, 115 for index types and options outside the profile
 */
export function checkIndexSpec(spec: Doc): Doc {
  const key = spec.get('key');
  if (!isDoc(key) || key.size === 0) throw new CommandError(67, 'Index keys cannot be an empty object');
  const result: Doc = new Map([
    ['v', spec.get('v') ?? null],
    ['key', key],
    ['name', spec.get('name') ?? null],
  ]);
  if (typeof spec.get('name') !== 'string' || spec.get('name') === '') {
    throw new CommandError(9, "The 'name' field is a required property of an index specification");
  }
  for (const [name, direction] of key) checkField(name, direction);
  for (const [name, value] of spec) {
    if (!OPTIONS.has(name) && !(value === false && ['sparse', 'hidden'].includes(name)))
      throw outsideProfile(`The index option ${name}`);
  }
  if (isTruthy(spec.get('unique'))) result.set('unique', true);
  const partial = spec.get('partialFilterExpression');
  if (partial !== undefined) {
    if (!isDoc(partial)) throw new CommandError(67, "The field 'partialFilterExpression' must be an object");
    checkPartial(parseFilter(partial));
    result.set('partialFilterExpression', partial);
  }
  const expires = spec.get('expireAfterSeconds');
  if (expires !== undefined) {
    checkExpiry(key, expires);
    result.set('expireAfterSeconds', expires);
  }
  return result;
}

function checkExpiry(key: Doc, expires: Value): void {
  const seconds = isNumber(expires) ? toDouble(expires) : Number.NaN;
  if (!isNumber(expires))
    throw new CommandError(
      14,
      `TTL index 'expireAfterSeconds' option must be numeric, but received a type of '${typeName(expires)}'`,
    );
  if (!(seconds >= 0 && seconds <= MAX_EXPIRE_SECONDS))
    throw new CommandError(
      67,
      `TTL index 'expireAfterSeconds' option must be within an acceptable range, try a different number than ${seconds}`,
    );
  if (key.has('_id'))
    throw new CommandError(197, "The field 'expireAfterSeconds' is not valid for an _id index specification.");
  if (key.size > 1)
    throw new CommandError(67, 'TTL indexes are single-field indexes, compound indexes do not support TTL.');
}

function checkField(name: string, direction: Value): void {
  if (typeof direction === 'string') throw outsideProfile(`An index of type ${direction}`);
  const number = isNumber(direction) ? toDouble(direction) : 0;
  if (number !== 1 && number !== -1)
    throw new CommandError(
      67,
      'Values in v:2 index key pattern cannot be of that value; only 1 and -1 are within the profile',
    );
  const parts = name.split('.');
  if (parts.some((part) => part === '' || part.startsWith('$')))
    throw new CommandError(67, `Index key contains an illegal field name: ${name}`);
  if (parts.some((part) => /^\d+$/.test(part))) throw outsideProfile(`An index on an array position (${name})`);
}

function checkPartial(expression: Expression): void {
  if (expression.type === 'AND') return expression.children.forEach(checkPartial);
  if (
    expression.type === 'COMPARE' ||
    expression.type === 'EXISTS' ||
    (expression.type === 'IN' && expression.regexes.length === 0)
  )
    return;
  throw new CommandError(67, `Expression not supported in partial index: ${expression.type}`);
}

/** The index that a stored specification describes. */
export function indexFromSpec(id: number, spec: Doc, multikeyFields: string[]): Index {
  const partial = spec.get('partialFilterExpression');
  const expires = spec.get('expireAfterSeconds');
  return {
    id,
    name: spec.get('name') as string,
    fields: [...(spec.get('key') as Doc)].map(([name, direction]) => ({
      path: path(name),
      direction: isNumber(direction) && toDouble(direction) < 0 ? -1 : 1,
    })),
    unique: spec.get('unique') === true || spec.get('name') === '_id_',
    ...(isDoc(partial) ? { partial: parseFilter(partial) } : {}),
    ...(isNumber(expires) ? { expireAfterSeconds: toDouble(expires) } : {}),
    multikeyFields: new Set(multikeyFields),
    spec,
  };
}

/** The key of one part of an index, inverted if it is descending. */
export function fieldKey(field: SortField, value: Value | undefined): Buffer {
  return field.direction === 1 ? keyOf(value) : inverted(keyOf(value));
}

/**
 * The entries of a document in an index: none if a partial index excludes it, several if a field is an array.
 * @returns the keys, and the field that is an array
 * @throws CommandError 171 if two of its fields are arrays
 */
export function indexKeys(index: Index, doc: Doc): { keys: Buffer[]; multikeyField?: string } {
  if (index.partial && !matches(index.partial, doc)) return { keys: [] };
  let keys: Buffer[] = [];
  let array: SortField | undefined;
  for (const field of index.fields) {
    const { values, emptyArray, multikey } = keyValues(doc, field.path);
    if (multikey && array) throw parallelArrays(array, field);
    if (multikey) array = field;
    const parts = values.map((value) => fieldKey(field, value));
    if (emptyArray) parts.push(field.direction === 1 ? EMPTY_ARRAY_KEY : inverted(EMPTY_ARRAY_KEY));
    if (keys.length === 0) keys = parts;
    else keys = keys.flatMap((key) => parts.map((part) => Buffer.concat([key, part])));
  }
  return array ? { keys: distinct(keys), multikeyField: array.path.dotted } : { keys };
}

function parallelArrays(a: SortField, b: SortField): CommandError {
  if (a.path.parts[0] === b.path.parts[0]) return outsideProfile('A compound index on several fields of one array');
  return new CommandError(171, `cannot index parallel arrays [${b.path.dotted}] [${a.path.dotted}]`);
}

function distinct(keys: Buffer[]): Buffer[] {
  return [...new Map(keys.map((key) => [key.toString('latin1'), key])).values()];
}

/**
 * The error of a write that would violate a unique index.
 * @param namespace such as `clinic.users`
 * @param doc the rejected document
 */
export function duplicateKey(namespace: string, index: Index, doc: Doc): CommandError {
  const values = index.fields.map(
    (field) => [field.path.dotted, keyValues(doc, field.path).values[0] ?? null] as const,
  );
  const shown = values.map(([name, value]) => `${name}: ${show(value)}`).join(', ');
  return new CommandError(
    11000,
    `E11000 duplicate key error collection: ${namespace} index: ${index.name} dup key: { ${shown} }`,
    {
      details: { keyPattern: index.spec.get('key'), keyValue: new Map(values) },
    },
  );
}

function show(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (value instanceof Map) return `{ ${[...value].map(([name, inner]) => `${name}: ${show(inner)}`).join(', ')} }`;
  if (Array.isArray(value)) return `[ ${value.map(show).join(', ')} ]`;
  if (value._bsontype === 'ObjectId') return `ObjectId('${value.toHexString()}')`;
  return isNumber(value) ? value.toString() : EJSON.stringify(value);
}
