import { compareStrings } from '../bson/comparator.ts';
import { isDoc, typeName } from '../bson/values.ts';
import type { Doc, Value } from '../bson/values.ts';
import { CommandError, outsideProfile } from '../errors.ts';
import { present } from '../present.ts';
import { FOREIGN_UPDATE_OPERATORS, profileRow } from '../profile.ts';
import { UPDATE_OPERATORS } from './operators.ts';
import type { Modifier } from './modifier.ts';
import { filterNames, parseArrayFilters } from './positional.ts';
import type { ArrayFilters } from './positional.ts';

/** One operator applied to one path. */
export interface Change {
  parts: string[];
  modify: Modifier;
  creates: boolean;
  removes: boolean;
  onInsertOnly: boolean;
  /** Whether it only adds elements at the end of an array. */
  appends?: boolean;
}

/** A parsed update: a whole new document, or changes in the order in which MongoDB applies them. */
export type Update = { replacement: Doc } | { changes: Change[]; arrayFilters: ArrayFilters };

/**
 * Parses an update.
 * @param update a replacement document or a document of operators
 * @param filters the update's arrayFilters, as sent
 * @throws CommandError with MongoDB's code for what it also rejects, 115 for operators and pipelines outside the
 *   profile
 */
export function parseUpdate(update: Value | undefined, filters?: Value): Update {
  const arrayFilters = filters ?? [];
  if (!Array.isArray(arrayFilters))
    throw new CommandError(
      14,
      `BSON field 'arrayFilters' is the wrong type '${typeName(filters)}', expected type 'array'`,
    );
  if (Array.isArray(update)) throw outsideProfile('An update by an aggregation pipeline');
  if (!isDoc(update)) throw new CommandError(9, 'Update argument must be either an object or an array');
  const names = [...update.keys()];
  if (!names[0]?.startsWith('$')) {
    const dollar = names.find((name) => name.startsWith('$'));
    if (dollar !== undefined)
      throw new CommandError(
        52,
        `The dollar ($) prefixed field '${dollar}' in '${dollar}' is not allowed in the context of an update's replacement document.`,
      );
    if (arrayFilters.length > 0)
      throw new CommandError(9, 'arrayFilters may not be specified for replacement-style updates');
    return { replacement: update };
  }
  const changes = [...update].flatMap(([name, fields]) => parseOperator(name, fields));
  checkConflicts(changes);
  const byName = parseArrayFilters(arrayFilters);
  checkFilterNames(changes, byName);
  return { changes: changes.toSorted((a, b) => comparePaths(a.parts, b.parts)), arrayFilters: byName };
}

function parseOperator(name: string, fields: Value): Change[] {
  const operator = profileRow('update operator', name) && UPDATE_OPERATORS[name];
  if (!operator) {
    if (FOREIGN_UPDATE_OPERATORS.has(name)) throw outsideProfile(`The update operator ${name}`);
    throw new CommandError(
      9,
      `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update specified as an array`,
    );
  }
  if (!isDoc(fields)) {
    throw new CommandError(
      9,
      `Modifiers operate on fields but we found type ${typeName(fields)} instead. For example: {$mod: {<field>: ...}} not {${name}: ${typeName(fields)}}`,
    );
  }
  return [...fields].map(([field, argument]) => ({
    parts: parsePath(field),
    modify: operator.compile(argument, field),
    creates: operator.creates,
    removes: name === '$unset',
    onInsertOnly: name === '$setOnInsert',
    appends:
      name === '$push' && !(isDoc(argument) && ['$position', '$slice', '$sort'].some((clause) => argument.has(clause))),
  }));
}

function parsePath(field: string): string[] {
  const parts = field.split('.');
  if (parts.includes('')) {
    throw new CommandError(
      56,
      field === ''
        ? 'An empty update path is not valid.'
        : `The update path '${field}' contains an empty field name, which is not allowed.`,
    );
  }
  for (const [at, part] of parts.entries()) {
    if (!part.startsWith('$')) continue;
    if (part !== '$' && !/^\$\[[^\]]*\]$/.test(part)) {
      throw new CommandError(
        52,
        `The dollar ($) prefixed field '${part}' in '${field}' is not allowed in the context of an update's replacement document.`,
      );
    }
    if (at === 0)
      throw new CommandError(2, `Cannot have array filter or positional element at the start of the path '${field}'`);
    if (part === '$' && parts.indexOf('$', at + 1) > 0)
      throw new CommandError(2, `Too many positional (i.e. '$') elements found in path '${field}'`);
  }
  return parts;
}

/** A path must not be changed twice, or together with a path inside it. */
function checkConflicts(changes: Change[]): void {
  const paths = new Set<string>();
  for (const { parts } of changes) {
    const whole = parts.join('.');
    if (paths.has(whole))
      throw new CommandError(40, `Updating the path '${whole}' would create a conflict at '${whole}'`);
    paths.add(whole);
  }
  for (const { parts } of changes) {
    for (let length = 1; length < parts.length; length += 1) {
      const outer = parts.slice(0, length).join('.');
      if (paths.has(outer))
        throw new CommandError(40, `Updating the path '${parts.join('.')}' would create a conflict at '${outer}'`);
    }
  }
}

function checkFilterNames(changes: Change[], filters: ArrayFilters): void {
  const used = new Set(changes.flatMap(({ parts }) => filterNames(parts)));
  for (const name of used) {
    if (!filters.has(name)) throw new CommandError(2, `No array filter found for identifier '${name}'`);
  }
  for (const name of filters.keys()) {
    if (!used.has(name))
      throw new CommandError(9, `The array filter for identifier '${name}' was not used in the update`);
  }
}

const DIGITS = /^\d+$/;

/** MongoDB applies changes, and so creates fields, in the order of their names; positions in numeric order. */
function comparePaths(a: string[], b: string[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const [x, y] = [present(a[at]), present(b[at])];
    const order = DIGITS.test(x) && DIGITS.test(y) ? Number(x) - Number(y) : compareStrings(x, y);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
