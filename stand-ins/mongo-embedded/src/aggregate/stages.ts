import { Long } from 'bson';
import { keyOf } from '../bson/key-string.ts';
import { fromInteger } from '../bson/numbers.ts';
import { isDoc, isNumber, TYPE_ORDER } from '../bson/values.ts';
import type { Doc, Value } from '../bson/values.ts';
import { CommandError, outsideProfile } from '../errors.ts';
import { profileRow } from '../profile.ts';
import { isTruthy, parseFilter } from '../query/filter-parser.ts';
import { matches } from '../query/matcher.ts';
import { parseProjection } from '../query/projection.ts';
import { compareSortKeys, parseSort, sortKey } from '../query/sorter.ts';
import { ACCUMULATORS, integerOf } from './accumulators.ts';
import { compileExpression } from './expressions.ts';

/** One stage of a pipeline, ready to run. */
export type Stage = (docs: Iterable<Doc>) => Iterable<Doc>;

/** Every stage of the profile, by name. */
export const STAGES: Readonly<Record<string, (argument: Value) => Stage>> = {
  $match: (argument) => {
    const filter = parseFilter(documentOf('$match', argument, 15959));
    return function* match(docs) {
      for (const doc of docs) if (matches(filter, doc)) yield doc;
    };
  },
  $sort: (argument) => {
    const fields = parseSort(documentOf('$sort', argument, 15973));
    if (fields.length === 0) throw new CommandError(15976, '$sort stage must have at least one sort key');
    return (docs) =>
      [...docs]
        .map((doc) => ({ doc, key: sortKey(fields, doc) }))
        .sort((a, b) => compareSortKeys(fields, a.key, b.key))
        .map(({ doc }) => doc);
  },
  $limit: (argument) => {
    const limit = integerOf(argument);
    if (limit === undefined || limit <= 0) throw new CommandError(15958, 'the limit must be positive');
    return function* take(docs) {
      let taken = 0;
      for (const doc of docs) {
        yield doc;
        taken += 1;
        if (taken === limit) return;
      }
    };
  },
  $skip: (argument) => {
    const skip = integerOf(argument);
    if (skip === undefined || skip < 0)
      throw new CommandError(5107200, 'invalid argument to $skip stage: Expected a non-negative number');
    return function* pass(docs) {
      let passed = 0;
      for (const doc of docs) {
        if (passed >= skip) yield doc;
        passed += 1;
      }
    };
  },
  $count: (argument) => {
    if (typeof argument !== 'string' || argument === '' || /[$.\0]/.test(argument))
      throw new CommandError(40156, 'the count field must be a non-empty string');
    return function* count(docs) {
      let total = 0;
      for (const _ of docs) total += 1;
      if (total > 0) yield new Map([[argument, fromInteger(total)]]);
    };
  },
  $group: compileGroup,
  $changeStream: () => {
    throw new CommandError(40602, '$changeStream is only valid as the first stage in a pipeline.');
  },
  $project: compileProject,
  $unwind: compileUnwind,
};

function documentOf(stage: string, argument: Value, code: number): Doc {
  if (!isDoc(argument)) throw new CommandError(code, `the ${stage} specification must be an object`);
  return argument;
}

function compileGroup(argument: Value): Stage {
  const spec = documentOf('$group', argument, 15947);
  const id = spec.get('_id');
  if (id === undefined) throw new CommandError(15955, 'a group specification must include an _id');
  const idOf = compileExpression(id);
  const fields = [...spec].filter(([name]) => name !== '_id').map(([name, value]) => compileField(name, value));
  return function* group(docs) {
    const groups = new Map<string, Group>();
    for (const doc of docs) {
      const value = idOf(doc) ?? null;
      // Nearly all ids are texts, which are equal only if identical; keys of other values start with another byte.
      const key = typeof value === 'string' ? TEXT_MARK + value : keyOf(value).toString('latin1');
      let entry = groups.get(key);
      if (!entry) groups.set(key, (entry = { id: value, results: fields.map(startField) }));
      for (const { accumulator, evaluate } of entry.results) accumulator.add(evaluate(doc));
    }
    for (const { id: value, results } of groups.values())
      yield new Map([['_id', value], ...results.map(({ name, accumulator }) => [name, accumulator.result()] as const)]);
  };
}

/** First byte of a text's key. */
const TEXT_MARK = String.fromCharCode(TYPE_ORDER.string);

interface GroupField {
  readonly name: string;
  readonly create: (typeof ACCUMULATORS)[string];
  readonly evaluate: ReturnType<typeof compileExpression>;
}

const startField = ({ name, create, evaluate }: GroupField) => ({ name, evaluate, accumulator: create() });

interface Group {
  readonly id: Value;
  readonly results: readonly ReturnType<typeof startField>[];
}

function compileField(name: string, value: Value): GroupField {
  if (name.includes('.')) throw new CommandError(40235, `The field name '${name}' cannot contain '.'`);
  if (!isDoc(value) || value.size !== 1)
    throw new CommandError(40234, `The field '${name}' must be an accumulator object`);
  const [[accumulator, argument]] = [...value] as [[string, Value]];
  const create = profileRow('accumulator', accumulator) && ACCUMULATORS[accumulator];
  if (!create) throw outsideProfile(`The group accumulator ${accumulator}`);
  return { name, create, evaluate: compileExpression(argument) };
}

/** Maps names to 1 or 0, as in a find, or to expressions. */
function compileProject(argument: Value): Stage {
  const spec = documentOf('$project', argument, 15969);
  if (spec.size === 0)
    throw new CommandError(
      51272,
      'Invalid $project :: caused by :: projection specification must have at least one field',
    );
  const computed = [...spec].filter(([, value]) => !isNumber(value) && typeof value !== 'boolean');
  const plain: Doc = new Map([...spec].filter(([name]) => !computed.some(([other]) => other === name)));
  for (const [name, value] of computed) {
    if (name.includes('.') || (isDoc(value) && ![...value.keys()][0]?.startsWith('$')))
      throw outsideProfile(`The nested computed field ${name} in $project`);
  }
  const values = computed.map(([name, value]) => [name, compileExpression(value)] as const);
  // A computed field makes it an inclusion: only named fields are kept.
  const included = [...plain].filter(([name]) => name !== '_id');
  if (computed.length > 0 && !included.some(([, value]) => isTruthy(value))) {
    if (included.length > 0) throw new CommandError(31254, 'Cannot do exclusion in an inclusion projection');
    const withId = !plain.has('_id') || isTruthy(plain.get('_id'));
    return function* compute(docs) {
      for (const doc of docs) yield withComputed(withId ? onlyId(doc) : new Map(), doc, values);
    };
  }
  const project = parseProjection(plain);
  return function* compute(docs) {
    for (const doc of docs) yield withComputed(project ? project(doc) : doc, doc, values);
  };
}

function onlyId(doc: Doc): Doc {
  const id = doc.get('_id');
  return id === undefined ? new Map() : new Map([['_id', id]]);
}

function withComputed(
  result: Doc,
  doc: Doc,
  values: readonly (readonly [string, ReturnType<typeof compileExpression>])[],
): Doc {
  for (const [name, evaluate] of values) {
    const value = evaluate(doc);
    if (value !== undefined) result.set(name, value);
  }
  return result;
}

function compileUnwind(argument: Value): Stage {
  const spec: Doc = isDoc(argument) ? argument : new Map([['path', argument]]);
  const path = spec.get('path');
  if (typeof path !== 'string' || !path.startsWith('$'))
    throw new CommandError(28818, "path option to $unwind stage should be prefixed with a '$'");
  const index = spec.get('includeArrayIndex');
  for (const name of spec.keys()) {
    if (!['path', 'preserveNullAndEmptyArrays', 'includeArrayIndex'].includes(name))
      throw new CommandError(28811, `unrecognized option to $unwind stage: ${name}`);
  }
  if (index !== undefined && (typeof index !== 'string' || index.includes('.')))
    throw outsideProfile('A nested includeArrayIndex in $unwind');
  const keep = spec.get('preserveNullAndEmptyArrays') === true;
  const parts = path.slice(1).split('.');
  return function* unwind(docs) {
    for (const doc of docs) {
      const value = fieldAt(doc, parts);
      const missing = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
      if (missing && !keep) continue;
      if (missing || !Array.isArray(value)) {
        const same = Array.isArray(value) ? replaceAt(doc, parts, undefined) : doc;
        yield index === undefined ? same : new Map([...same, [index, null]]);
      } else {
        for (const [at, item] of value.entries()) {
          const one = replaceAt(doc, parts, item);
          yield index === undefined ? one : new Map([...one, [index, Long.fromNumber(at)]]);
        }
      }
    }
  };
}

function fieldAt(doc: Doc, parts: string[]): Value | undefined {
  let value: Value | undefined = doc;
  for (const part of parts) value = value instanceof Map ? value.get(part) : undefined;
  return value;
}

function replaceAt(doc: Doc, parts: string[], value: Value | undefined): Doc {
  const result: Doc = new Map(doc);
  const [first, ...rest] = parts as [string, ...string[]];
  const inner = rest.length > 0 ? replaceAt(doc.get(first) as Doc, rest, value) : value;
  if (inner === undefined) result.delete(first);
  else result.set(first, inner);
  return result;
}
