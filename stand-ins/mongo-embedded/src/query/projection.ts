import { decode } from '../bson/decode.ts';
import { encode } from '../bson/encode.ts';
import { FieldNames, copyFields } from '../bson/fields.ts';
import { toDouble } from '../bson/numbers.ts';
import { isDoc, isNumber } from '../bson/values.ts';
import type { Doc, Value } from '../bson/values.ts';
import { CommandError, outsideProfile } from '../errors.ts';

/** A tree of field names; a leaf is the whole field. */
interface Tree extends Map<string, Tree | true> {}

/** Projects a stored document to the requested fields. */
export interface Projection {
  (doc: Doc): Doc;
  /** Projects its bytes. */
  readonly ofBytes: (bytes: Buffer) => Buffer;
}

/**
 * Parses a projection of field names to 1 or 0.
 * @param spec such as `{name: 1, _id: 0}`
 * @returns undefined if the whole document is requested
 * @throws CommandError 31253 or 31254 if inclusion and exclusion are mixed, 115 for expressions
 */
export function parseProjection(spec: Doc): Projection | undefined {
  let including: boolean | undefined;
  let id: boolean | undefined;
  const tree: Tree = new Map();
  for (const [name, value] of spec) {
    const include = included(name, value);
    if (name === '_id') {
      id = include;
      continue;
    }
    if (including !== undefined && including !== include) {
      throw include
        ? new CommandError(31253, `Cannot do inclusion on field ${name} in exclusion projection`)
        : new CommandError(31254, `Cannot do exclusion on field ${name} in inclusion projection`);
    }
    including = include;
    plant(tree, name);
  }
  if (including === undefined && id === undefined) return undefined;
  if (including ?? id) {
    if (id !== false) tree.set('_id', true);
    return projection(tree, true);
  }
  if (id === false) tree.set('_id', true);
  return projection(tree, false);
}

function projection(tree: Tree, including: boolean): Projection {
  const ofDoc = including ? (doc: Doc) => include(doc, tree) : (doc: Doc) => exclude(doc, tree);
  const names = [...tree.values()].every((branch) => branch === true) ? new FieldNames(tree.keys()) : undefined;
  return Object.assign(ofDoc, {
    ofBytes: (bytes: Buffer) => (names ? copyFields(bytes, names, including) : encode(ofDoc(decode(bytes)))),
  });
}

function included(name: string, value: Value): boolean {
  if (name.split('.').some((part) => part === '' || part.startsWith('$')))
    throw outsideProfile(`The projection of ${name}`);
  if (typeof value === 'boolean') return value;
  if (isNumber(value)) return toDouble(value) !== 0;
  throw outsideProfile(
    `The projection of ${name} as ${isDoc(value) ? ([...value.keys()][0] ?? 'an empty document') : 'an expression'}`,
  );
}

function plant(tree: Tree, name: string): void {
  const parts = name.split('.');
  let branch = tree;
  for (const [at, part] of parts.entries()) {
    const existing = branch.get(part);
    if (existing === true || (existing && at === parts.length - 1)) {
      throw new CommandError(31249, `Path collision at ${name}`);
    }
    if (at === parts.length - 1) branch.set(part, true);
    else {
      const next: Tree = existing ?? new Map();
      branch.set(part, next);
      branch = next;
    }
  }
}

function include(doc: Doc, tree: Tree): Doc {
  const result: Doc = new Map();
  for (const [name, value] of doc) {
    const branch = tree.get(name);
    if (branch === true) result.set(name, value);
    else if (branch) {
      const inner = includeValue(value, branch);
      if (inner !== undefined) result.set(name, inner);
    }
  }
  return result;
}

function includeValue(value: Value, tree: Tree): Value | undefined {
  if (value instanceof Map) return include(value, tree);
  if (!Array.isArray(value)) return undefined;
  return value.map((item) => includeValue(item, tree)).filter((item) => item !== undefined);
}

function exclude(doc: Doc, tree: Tree): Doc {
  const result: Doc = new Map();
  for (const [name, value] of doc) {
    const branch = tree.get(name);
    if (branch === undefined) result.set(name, value);
    else if (branch !== true) result.set(name, excludeValue(value, branch));
  }
  return result;
}

function excludeValue(value: Value, tree: Tree): Value {
  if (value instanceof Map) return exclude(value, tree);
  return Array.isArray(value) ? value.map((item) => excludeValue(item, tree)) : value;
}
