import { BSONRegExp, ObjectId } from 'bson';
import { decode } from '../bson/decode.ts';
import { encode } from '../bson/encode.ts';
import type { Encodable } from '../bson/encode.ts';
import { toDouble } from '../bson/numbers.ts';
import { isDoc, isNumber, typeName } from '../bson/values.ts';
import type { Doc, Value } from '../bson/values.ts';
import { CommandError, outsideProfile } from '../errors.ts';
import { present } from '../present.ts';
import { isTruthy, parseFilter } from '../query/filter-parser.ts';
import type { MatchDetails } from '../query/matcher.ts';
import { QueryRun } from '../query/query.ts';
import type { Match, Query } from '../query/query.ts';
import { parseSort } from '../query/sorter.ts';
import type { Collection } from '../storage/catalogue.ts';
import type { Version } from '../storage/writer.ts';
import { parseUpdate } from '../update/update-parser.ts';
import type { Update } from '../update/update-parser.ts';
import { MAX_DOCUMENT_BYTES, applyUpdate, upsertDocument } from '../update/updater.ts';
import { collectionName, overlayOf, statements } from './command.ts';
import type { Engine, Handler, Reply, Request } from './command.ts';

/** Puts `_id` first, generated if it is missing, and makes MongoDB's checks of a new document. */
function newDocument(source: Doc, raw?: Buffer): Version {
  const id = source.get('_id');
  if (Array.isArray(id) || id instanceof BSONRegExp)
    throw new CommandError(2, `The '_id' value cannot be of type ${typeName(id)}`);
  let [doc, bytes] = [source, raw];
  if (source.keys().next().value !== '_id') {
    doc = new Map<string, Value>([['_id', id === undefined ? new ObjectId() : id]]);
    for (const [name, value] of source) if (name !== '_id') doc.set(name, value);
    bytes = undefined;
  }
  bytes ??= encode(doc);
  checkSize(bytes, 2, 'object to insert too large');
  return { doc, bytes };
}

/** @throws CommandError with this code for a document that is too large to be stored or sent */
export function checkSize(bytes: Buffer, code: number, message: string): void {
  if (bytes.length > MAX_DOCUMENT_BYTES)
    throw new CommandError(code, `${message}. size in bytes: ${bytes.length}, max size: ${MAX_DOCUMENT_BYTES}`);
}

/** Runs the statements of a write command one by one and collects their errors; `ordered` stops at the first. */
function eachStatement(
  request: Request,
  list: (Doc | Buffer)[],
  apply: (statement: Doc, index: number, raw?: Buffer) => void,
): Reply[] {
  const ordered = request.args.get('ordered') !== false;
  const errors: Reply[] = [];
  if (list.length === 0)
    throw new CommandError(16, 'Write batch sizes must be between 1 and 100000. Got 0 operations.');
  for (const [index, statement] of list.entries()) {
    try {
      if (statement instanceof Map) apply(statement, index);
      else apply(decode(statement), index, statement);
    } catch (error) {
      // A conflict aborts the whole transaction, and with it the whole command.
      if (!(error instanceof CommandError) || error.code === 112) throw error;
      errors.push({ index, code: error.code, ...(error.details as Reply), errmsg: error.message });
      if (ordered) break;
    }
  }
  return errors;
}

function finish(reply: Reply, errors: Reply[]): Reply {
  return { ...reply, ...(errors.length > 0 ? { writeErrors: errors as Encodable[] } : {}), ok: 1 };
}

/** `insert` */
export const insert: Handler = (engine, request) => {
  const name = collectionName(request);
  const list = statements(request, 'documents');
  const collection = engine.catalogue.ensure(request.db, name);
  let n = 0;
  const errors = eachStatement(request, list, (doc, _, raw) => {
    insertOne(engine, request, collection, newDocument(doc, raw));
    n += 1;
  });
  return finish({ n }, errors);
};

function insertOne({ writer }: Engine, { transaction }: Request, collection: Collection, version: Version): void {
  writer.write(collection, collection.nextRid, null, version, transaction);
  collection.nextRid += 1;
}

function checkStatement(statement: Doc, command: string, allowed: string[]): void {
  for (const [name, value] of statement) {
    if (!allowed.includes(name) && value !== null) throw outsideProfile(`The option ${name} of ${command}`);
  }
}

function queryFor(filter: Value | undefined, hint: Value | undefined, limit: number, sort?: Value): Query {
  if (!isDoc(filter))
    throw new CommandError(14, `BSON field 'q' is the wrong type '${typeName(filter)}', expected type 'object'`);
  if (sort !== undefined && sort !== null && !isDoc(sort))
    throw new CommandError(14, `BSON field 'sort' is the wrong type '${typeName(sort)}', expected type 'object'`);
  return {
    filter: parseFilter(filter),
    sort: parseSort(sort ?? new Map()),
    skip: 0,
    limit,
    ...(hint === undefined || (isDoc(hint) && hint.size === 0) ? {} : { hint }),
  };
}

function run(engine: Engine, request: Request, collection: Collection, query: Query): QueryRun {
  return new QueryRun(engine.store, collection, query, overlayOf(engine, request, collection));
}

/** A match, found before anything changes: a changed document must not be found again later in the scan. */
interface Target {
  rid: number;
  details: MatchDetails;
}

function targets(runs: QueryRun): Target[] {
  return [...runs.matches()].map(({ rid, details }) => ({ rid, details }));
}

function current(engine: Engine, request: Request, collection: Collection, rid: number): Version | undefined {
  const seen = request.transaction && engine.transactions.seen(request.transaction, collection, rid);
  const bytes = seen === undefined ? engine.store.get(collection.id, rid) : seen;
  return bytes ? { bytes, doc: decode(bytes) } : undefined;
}

/** Applies an update to one stored document. @returns the new version, or undefined if nothing changed */
function updateOne(
  engine: Engine,
  request: Request,
  collection: Collection,
  { rid, details }: Target,
  update: Update,
): Version | undefined {
  const before = current(engine, request, collection, rid);
  if (!before) return undefined;
  const description = { updatedFields: [], removedFields: [] };
  const doc = applyUpdate(decode(before.bytes), update, details, description);
  if (!doc) return undefined;
  const after = { doc, bytes: encode(doc) };
  checkSize(after.bytes, 17419, 'Resulting document after update is larger than allowed');
  const kind = 'replacement' in update ? undefined : description;
  engine.writer.write(collection, rid, before, after, request.transaction, kind);
  return after;
}

function upsert(engine: Engine, request: Request, collection: Collection, query: Query, update: Update): Version {
  const version = newDocument(upsertDocument(query.filter, update));
  insertOne(engine, request, collection, version);
  return version;
}

/** `update` */
export const update: Handler = (engine, request) => {
  const name = collectionName(request);
  const list = statements(request, 'updates');
  const upserted: Reply[] = [];
  let n = 0;
  let nModified = 0;
  const errors = eachStatement(request, list, (statement, index) => {
    checkStatement(statement, 'update', ['q', 'u', 'multi', 'upsert', 'arrayFilters', 'hint', 'sort']);
    const change = parseUpdate(statement.get('u'), statement.get('arrayFilters'));
    const multi = isTruthy(statement.get('multi'));
    if (multi && 'replacement' in change)
      throw new CommandError(9, 'multi update is not supported for replacement-style update');
    const query = queryFor(statement.get('q'), statement.get('hint'), multi ? 0 : 1, statement.get('sort'));
    const inserts = isTruthy(statement.get('upsert'));
    const collection = inserts ? engine.catalogue.ensure(request.db, name) : engine.catalogue.get(request.db, name);
    const found = collection ? targets(run(engine, request, collection, query)) : [];
    if (!collection) return;
    for (const target of found) {
      n += 1;
      if (updateOne(engine, request, collection, target, change)) nModified += 1;
    }
    if (found.length === 0 && inserts) {
      const version = upsert(engine, request, collection, query, change);
      n += 1;
      upserted.push({ index, _id: version.doc.get('_id') });
    }
  });
  return finish({ n, nModified, ...(upserted.length > 0 ? { upserted: upserted as Encodable[] } : {}) }, errors);
};

/** 0 for all matches, 1 for the first. */
function deleteLimit(limit: Value | undefined): number {
  if (limit === undefined)
    throw new CommandError(40414, "BSON field 'delete.deletes.limit' is missing but a required field");
  const number = isNumber(limit) ? toDouble(limit) : Number.NaN;
  if (number !== 0 && number !== 1) throw new CommandError(9, 'The limit field in delete objects must be 0 or 1');
  return number;
}

/** `delete` */
export const remove: Handler = (engine, request) => {
  const collection = engine.catalogue.get(request.db, collectionName(request));
  let n = 0;
  const errors = eachStatement(request, statements(request, 'deletes'), (statement) => {
    checkStatement(statement, 'delete', ['q', 'limit', 'hint']);
    const query = queryFor(statement.get('q'), statement.get('hint'), deleteLimit(statement.get('limit')));
    if (!collection) return;
    for (const rid of [...run(engine, request, collection, query).matches()].map((match) => match.rid)) {
      engine.writer.write(
        collection,
        rid,
        present(current(engine, request, collection, rid)),
        null,
        request.transaction,
      );
      n += 1;
    }
  });
  return finish({ n }, errors);
};

/** The first match of a query, if there is one. */
export function firstMatch(runs: QueryRun): Match | undefined {
  const { value, done } = runs.matches().next();
  return done ? undefined : value;
}

export { insertOne, queryFor, run, updateOne, upsert };
