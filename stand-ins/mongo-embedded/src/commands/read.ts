import { Long, Timestamp } from 'bson';
import { decode } from '../bson/decode.ts';
import { keyOf } from '../bson/key-string.ts';
import { encode } from '../bson/encode.ts';
import type { Doc, Value } from '../bson/values.ts';
import { isDoc } from '../bson/values.ts';
import { CommandError, outsideProfile } from '../errors.ts';
import { keyValues, path } from '../query/element-path.ts';
import { isTruthy, parseFilter } from '../query/filter-parser.ts';
import { matches } from '../query/matcher.ts';
import { parseProjection } from '../query/projection.ts';
import { QueryRun, project } from '../query/query.ts';
import type { Query } from '../query/query.ts';
import { parseSort } from '../query/sorter.ts';
import type { Collection } from '../storage/catalogue.ts';
import type { Snapshot } from '../storage/snapshots.ts';
import { ChangeStream } from '../query/change-stream.ts';
import { parsePipeline, runPipeline } from './aggregate.ts';
import { collectionName, countArg, docArg, overlayOf, stringArg } from './command.ts';
import type { Engine, Handler, Reply, Request } from './command.ts';
import { checkSize } from './write.ts';

/** The query of a find, count or distinct. @param filterName the command's name for its filter */
export function queryOf(request: Request, filterName: string): Query {
  const hint = request.args.get('hint');
  return {
    filter: parseFilter(docArg(request, filterName)),
    sort: parseSort(docArg(request, 'sort')),
    skip: countArg(request, 'skip') ?? 0,
    limit: countArg(request, 'limit') ?? 0,
    ...(hint === undefined || (isDoc(hint) && hint.size === 0) ? {} : { hint }),
  };
}

function run(engine: Engine, request: Request, collection: Collection, query: Query): QueryRun {
  return new QueryRun(engine.store, collection, query, overlayOf(engine, request, collection));
}

/** `find` */
export const find: Handler = (engine, request) => {
  const name = collectionName(request);
  if (isTruthy(request.args.get('tailable')) || isTruthy(request.args.get('awaitData')))
    throw outsideProfile('A tailable cursor');
  const query = queryOf(request, 'filter');
  const projection = parseProjection(docArg(request, 'projection'));
  const collection = engine.catalogue.get(request.db, name);
  const keep = !isTruthy(request.args.get('singleBatch'));
  const snapshot = request.transaction
    ? undefined
    : snapshotOf(engine, request, query.sort.length > 0 || query.hint !== undefined || projection !== undefined);
  if (snapshot) {
    const rows = collection ? fromSnapshot(engine, snapshot, collection, query) : [];
    return engine.cursors.first(
      `${request.db}.${name}`,
      rows[Symbol.iterator](),
      countArg(request, 'batchSize'),
      keep,
      undefined,
      snapshot.time,
    );
  }
  const found = collection ? run(engine, request, collection, query).matches() : [];
  return reply(engine, request, name, project(found, projection), countArg(request, 'batchSize'), keep);
};

/**
 * The snapshot requested by a read outside transactions: a new one, or that of the given time.
 * @param arranged whether the read has a sort, a hint or a projection
 */
function snapshotOf({ snapshots }: Engine, { args, session }: Request, arranged: boolean): Snapshot | undefined {
  const concern = args.get('readConcern');
  if (!isDoc(concern) || concern.get('level') !== 'snapshot') return undefined;
  if (arranged) throw outsideProfile('A sort, hint or projection with read concern snapshot outside a transaction');
  const time = concern.get('atClusterTime');
  if (time === undefined) return snapshots.open(session);
  if (!(time instanceof Timestamp))
    throw new CommandError(14, "BSON field 'readConcern.atClusterTime' must be a timestamp");
  return snapshots.at(time);
}

/** Reads the whole collection, because past index entries aren't kept. */
function* fromSnapshot(
  { snapshots }: Engine,
  snapshot: Snapshot,
  collection: Collection,
  { filter, skip, limit }: Query,
): Generator<Buffer> {
  const all = filter.type === 'AND' && filter.children.length === 0;
  let position = 0;
  for (const { doc } of snapshots.rows(snapshot, collection)) {
    if (!all && !matches(filter, decode(doc))) continue;
    position += 1;
    if (position <= skip) continue;
    yield doc;
    if (limit > 0 && position >= skip + limit) return;
  }
}

/** Inside a transaction the result is read at once, so that it matches the snapshot, whatever is written later. */
function reply(
  engine: Engine,
  request: Request,
  name: string,
  documents: Iterable<Buffer>,
  batchSize: number | undefined,
  keep: boolean,
): Reply {
  const iterator = request.transaction ? [...documents][Symbol.iterator]() : documents[Symbol.iterator]();
  return engine.cursors.first(`${request.db}.${name}`, iterator, batchSize, keep, request.transaction);
}

/** `aggregate` */
export const aggregate: Handler = (engine, request) => {
  const stream = changeStream(engine, request);
  if (stream) return stream;
  if (typeof request.args.get('aggregate') !== 'string') throw outsideProfile('An aggregation without a collection');
  const name = collectionName(request);
  const documents = runPipeline(engine, request, engine.catalogue.get(request.db, name)).documents;
  const cursor = docArg(request, 'cursor');
  const batchSize = countArg({ ...request, args: cursor }, 'batchSize');
  return reply(engine, request, name, encoded(documents), batchSize, true);
};

/** Opens a change stream, if the pipeline begins with one. */
function changeStream(engine: Engine, request: Request): Reply | undefined {
  const pipeline = request.args.get('pipeline');
  const [first] = Array.isArray(pipeline) ? pipeline : [];
  if (!isDoc(first) || !first.has('$changeStream')) return undefined;
  if (request.transaction) throw new CommandError(263, '$changeStream cannot be used in a transaction');
  const whole = typeof request.args.get('aggregate') !== 'string';
  const collection = whole ? undefined : collectionName(request);
  const stream = new ChangeStream(engine, { db: request.db, collection }, parsePipeline(request));
  const cursor = docArg(request, 'cursor');
  return engine.cursors.openStream(
    `${request.db}.${collection ?? '$cmd.aggregate'}`,
    stream,
    countArg({ ...request, args: cursor }, 'batchSize'),
  );
}

function* encoded(documents: Iterable<Doc | Buffer>): Generator<Buffer> {
  for (const document of documents) {
    const bytes = document instanceof Map ? encode(document) : document;
    checkSize(bytes, 10334, 'BSONObj size is invalid');
    yield bytes;
  }
}

/** `count`: the number of matches, between skip and limit. */
export const count: Handler = (engine, request) => {
  const collection = engine.catalogue.get(request.db, collectionName(request));
  const query = queryOf(request, 'query');
  if (!collection) return { n: 0, ok: 1 };
  return { n: run(engine, request, collection, query).count(), ok: 1 };
};

/** `distinct`: the distinct values of a field, including array elements. */
export const distinct: Handler = (engine, request) => {
  const collection = engine.catalogue.get(request.db, collectionName(request));
  const key = path(stringArg(request, 'key'));
  const query = queryOf(request, 'query');
  const values = new Map<string, Value>();
  for (const { doc } of collection ? run(engine, request, collection, query).matches() : []) {
    for (const value of keyValues(doc, key).values) {
      if (value === undefined) continue;
      const name = keyOf(value).toString('latin1');
      if (!values.has(name)) values.set(name, value);
    }
  }
  return { values: [...values.values()], ok: 1 };
};

/** `getMore` */
export const getMore: Handler = (engine, request) => {
  const id = request.args.get('getMore');
  const name = stringArg(request, 'collection');
  return engine.cursors.next(
    cursorId(id),
    `${request.db}.${name}`,
    countArg(request, 'batchSize'),
    request.transaction,
    request.waited,
  );
};

/** `killCursors` */
export const killCursors: Handler = (engine, request) => {
  const ids = request.args.get('cursors');
  if (!Array.isArray(ids)) throw new CommandError(14, "BSON field 'killCursors.cursors' must be an array");
  const wanted = ids.map(cursorId);
  const killed = engine.cursors.kill(wanted);
  const longs = (list: bigint[]): Long[] => list.map((id) => Long.fromBigInt(id));
  const unknown = wanted.filter((id) => !killed.includes(id));
  return { cursorsKilled: longs(killed), cursorsNotFound: longs(unknown), cursorsAlive: [], cursorsUnknown: [], ok: 1 };
};

function cursorId(id: Value | undefined): bigint {
  if (!(id instanceof Long)) throw new CommandError(14, 'a cursor id must be a long');
  return id.toBigInt();
}
