import { compare, identical } from '../bson/comparator.ts';
import { decode } from '../bson/decode.ts';
import { encode } from '../bson/encode.ts';
import { typeName } from '../bson/values.ts';
import type { Doc, Value } from '../bson/values.ts';
import { CommandError, outsideProfile } from '../errors.ts';
import { present } from '../present.ts';
import type { Expression } from '../query/expression.ts';
import type { MatchDetails } from '../query/matcher.ts';
import { expandPositions } from './positional.ts';
import type { UpdateDescription } from '../storage/changes.ts';
import type { Change, Update } from './update-parser.ts';

/** Maximum size of a document, in bytes. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
/** MongoDB's limit on the nulls that `{$set: {'list.99999': 1}}` would add. */
const MAX_PADDING = 1_500_000;
const DIGITS = /^\d+$/;

/**
 * Applies an update to a document.
 * @param doc the freshly decoded document; it is changed in place
 * @param update the parsed update
 * @param details what the update's filter matched, for the positional operator
 * @param description filled with what operators changed, if given
 * @returns the new document, or undefined if the update changes nothing
 * @throws CommandError 66 if it would change `_id`
 */
export function applyUpdate(
  doc: Doc,
  update: Update,
  details: MatchDetails,
  description?: UpdateDescription,
): Doc | undefined {
  const id = doc.get('_id');
  const updated = 'replacement' in update ? replace(id, update.replacement) : doc;
  const changed =
    'replacement' in update ? !identical(doc, updated) : applyChanges(doc, update, details, false, description);
  if (compare(updated.get('_id'), id) !== 0 || !updated.has('_id')) {
    throw new CommandError(66, "Performing an update on the path '_id' would modify the immutable field '_id'");
  }
  return changed ? updated : undefined;
}

function replace(id: Value | undefined, replacement: Doc): Doc {
  return withIdFirst(replacement, replacement.get('_id') ?? id);
}

function withIdFirst(doc: Doc, id: Value | undefined): Doc {
  const result: Doc = new Map();
  if (id !== undefined) result.set('_id', id);
  for (const [name, value] of doc) if (name !== '_id') result.set(name, value);
  return result;
}

/**
 * Builds the document that an upsert inserts: the equalities of its filter, then the update.
 * @param filter the update's filter
 * @param update the parsed update
 * @returns the document, with `_id` first if there is one
 */
export function upsertDocument(filter: Expression, update: Update): Doc {
  const equalities = new Map<string, Value>();
  collectEqualities(filter, equalities);
  if ('replacement' in update) {
    return replace(equalities.get('_id'), update.replacement);
  }
  const base: Doc = new Map();
  for (const [field, value] of equalities) {
    for (const other of equalities.keys()) {
      if (other.startsWith(`${field}.`)) throw notSingle(field);
    }
    change(
      base,
      { parts: field.split('.'), modify: () => value, creates: true, removes: false, onInsertOnly: false },
      field.split('.'),
    );
  }
  // A copy, because the values belong to the parsed filter and the update may change them.
  const doc = decode(encode(base));
  const id = doc.get('_id');
  applyChanges(doc, update, { arrayMatches: [] }, true);
  if (id !== undefined && (!doc.has('_id') || compare(doc.get('_id'), id) !== 0)) {
    throw new CommandError(66, "Performing an update on the path '_id' would modify the immutable field '_id'");
  }
  return withIdFirst(doc, doc.get('_id'));
}

function notSingle(field: string): CommandError {
  return new CommandError(54, `cannot infer query fields to set, path '${field}' is matched twice`);
}

function collectEqualities(filter: Expression, into: Map<string, Value>): void {
  if (filter.type === 'AND' || (filter.type === 'OR' && filter.children.length === 1)) {
    for (const child of filter.children) collectEqualities(child, into);
  } else if (filter.type === 'COMPARE' && filter.operator === 'eq') {
    if (into.has(filter.path.dotted)) throw notSingle(filter.path.dotted);
    into.set(filter.path.dotted, filter.value);
  } else if (filter.type === 'IN' && filter.values.length + filter.regexes.length === 1) {
    throw outsideProfile('An upsert by $in of a single value');
  }
}

function applyChanges(
  doc: Doc,
  update: Extract<Update, { changes: Change[] }>,
  details: MatchDetails,
  inserting: boolean,
  description?: UpdateDescription,
): boolean {
  let changed = false;
  for (const each of update.changes) {
    if (each.onInsertOnly && !inserting) continue;
    for (const parts of expandPositions(doc, each.parts, update.arrayFilters, details)) {
      if (change(doc, each, parts, description)) changed = true;
    }
  }
  return changed;
}

/** Changes one concrete path. @returns whether anything changed */
function change(
  doc: Doc,
  { modify, creates, removes, appends }: Change,
  parts: string[],
  description?: UpdateDescription,
): boolean {
  const field = parts.join('.');
  let container: Doc | Value[] = doc;
  for (let at = 0; ; at += 1) {
    const part = present(parts[at]);
    if (Array.isArray(container) && !DIGITS.test(part)) {
      if (creates) throw notViable(part, parts[at - 1], container);
      return false;
    }
    const existing: Value | undefined = container instanceof Map ? container.get(part) : container[Number(part)];
    if (at === parts.length - 1) {
      if (removes) {
        const removed = remove(container, part, existing);
        if (removed && container instanceof Map) description?.removedFields.push(field);
        else if (removed) description?.updatedFields.push([field, null]);
        return removed;
      }
      if (existing === undefined && !creates) return false;
      const value = modify(existing, field);
      if (value === undefined || identical(existing, value)) return false;
      assign(container, part, value);
      if (description) describe(description, field, appends ? existing : undefined, value);
      return true;
    }
    if (existing === undefined) {
      if (!creates) return false;
      const value = present(modify(undefined, field));
      const created = parts.slice(at + 1).reduceRight<Value>((inner, name) => new Map([[name, inner]]), value);
      assign(container, part, created);
      description?.updatedFields.push([parts.slice(0, at + 1).join('.'), created]);
      return true;
    }
    if (!(existing instanceof Map) && !Array.isArray(existing)) {
      if (creates) throw notViable(present(parts[at + 1]), part, existing);
      return false;
    }
    container = existing;
  }
}

/** Describes a change like MongoDB: appended elements individually, everything else as a whole. */
function describe(
  { updatedFields }: UpdateDescription,
  field: string,
  appendedTo: Value | undefined,
  value: Value,
): void {
  if (!Array.isArray(appendedTo) || !Array.isArray(value)) updatedFields.push([field, value]);
  else
    for (let at = appendedTo.length; at < value.length; at += 1)
      updatedFields.push([`${field}.${at}`, value[at] ?? null]);
}

function notViable(part: string, parent: string | undefined, value: Value): CommandError {
  return new CommandError(28, `Cannot create field '${part}' in element {${parent ?? ''}: ${typeName(value)}}`);
}

function remove(container: Doc | Value[], part: string, existing: Value | undefined): boolean {
  if (existing === undefined) return false;
  if (container instanceof Map) return container.delete(part);
  // An array keeps its length: the element becomes null.
  container[Number(part)] = null;
  return existing !== null;
}

function assign(container: Doc | Value[], part: string, value: Value): void {
  if (container instanceof Map) {
    container.set(part, value);
    return;
  }
  const index = Number(part);
  if (index - container.length > MAX_PADDING) {
    throw new CommandError(2, `Cannot backfill array by more than ${MAX_PADDING} elements`);
  }
  while (container.length < index) container.push(null);
  container[index] = value;
}
