/**
 * The profile: everything of MongoDB that this engine supports. Anything else is rejected.
 * Every row has a test through the driver.
 */
export interface ProfileRow {
  kind: 'command' | 'query operator' | 'update operator' | 'aggregation stage' | 'accumulator' | 'expression';
  name: string;
  /** The arguments of a command beyond those that every command takes. */
  options: readonly string[];
  note: string;
}

function row(kind: ProfileRow['kind'], name: string, note: string, options: readonly string[] = []): ProfileRow {
  return { kind, name, options, note };
}

/**
 * Arguments that every command takes; a comment, a read or write concern and a read preference are accepted and have no
 * effect.
 */
export const GENERIC_OPTIONS: ReadonlySet<string> = new Set([
  '$db',
  'lsid',
  'txnNumber',
  'startTransaction',
  'autocommit',
  '$clusterTime',
  '$readPreference',
  'readConcern',
  'writeConcern',
  'comment',
  'maxTimeMS',
  'apiVersion',
  'apiStrict',
  'apiDeprecationErrors',
]);

export const PROFILE: readonly ProfileRow[] = [
  row('command', 'insert', 'ordered or not', ['documents', 'ordered', 'bypassDocumentValidation']),
  row(
    'command',
    'find',
    'with projection of field names to 1 or 0; read concern `snapshot` also outside transactions, then without sort, hint and projection',
    ['filter', 'sort', 'projection', 'skip', 'limit', 'batchSize', 'singleBatch', 'hint', 'allowDiskUse'],
  ),
  row('command', 'getMore', '', ['collection', 'batchSize']),
  row('command', 'killCursors', '', ['cursors']),
  row('command', 'update', 'one or many, upsert, replacement, `$`, `$[]` and `$[name]`; no pipeline', [
    'updates',
    'ordered',
    'bypassDocumentValidation',
  ]),
  row('command', 'delete', 'one or many', ['deletes', 'ordered']),
  row('command', 'findAndModify', 'update, replace, upsert or remove, before or after', [
    'query',
    'sort',
    'update',
    'remove',
    'new',
    'upsert',
    'fields',
    'arrayFilters',
    'hint',
    'bypassDocumentValidation',
  ]),
  row('command', 'count', 'not in transactions, as in MongoDB', ['query', 'skip', 'limit', 'hint']),
  row('command', 'distinct', '', ['key', 'query', 'hint']),
  row('command', 'aggregate', 'on a collection, with the stages below', [
    'pipeline',
    'cursor',
    'hint',
    'allowDiskUse',
    'bypassDocumentValidation',
  ]),
  row('command', 'explain', 'of find, aggregate, count, distinct, update, delete and findAndModify', ['verbosity']),
  row('command', 'createIndexes', 'ascending and descending fields, compound, unique, partial, TTL', ['indexes']),
  row('command', 'listIndexes', '', ['cursor']),
  row('command', 'dropIndexes', 'by name, key pattern or `*`', ['index']),
  row('command', 'create', 'plain collections', []),
  row('command', 'listCollections', '', ['filter', 'cursor', 'nameOnly', 'authorizedCollections']),
  row('command', 'drop', '', []),
  row('command', 'dropDatabase', '', []),
  row('command', 'listDatabases', '', ['nameOnly', 'authorizedDatabases']),
  row('command', 'commitTransaction', 'durable when answered; may be repeated', ['recoveryToken']),
  row('command', 'abortTransaction', '', ['recoveryToken']),
  row('command', 'endSessions', '', []),
  row('command', 'killSessions', '', []),
  row('command', 'killAllSessions', 'aborts every open transaction', []),
  row('command', 'refreshSessions', '', []),
  row('command', 'hello', 'also as isMaster; a replica set of one', [
    'helloOk',
    'client',
    'compression',
    'loadBalanced',
    'topologyVersion',
    'maxAwaitTimeMS',
    'saslSupportedMechs',
    'speculativeAuthenticate',
    'backpressure',
  ]),
  row('command', 'ping', '', []),
  row('command', 'buildInfo', '', []),
  row('command', 'getParameter', 'featureCompatibilityVersion', ['featureCompatibilityVersion']),

  row('query operator', '$eq', 'and plain equality'),
  row('query operator', '$ne', ''),
  row('query operator', '$gt', ''),
  row('query operator', '$gte', ''),
  row('query operator', '$lt', ''),
  row('query operator', '$lte', ''),
  row('query operator', '$in', 'also with regular expressions'),
  row('query operator', '$nin', 'also with regular expressions'),
  row('query operator', '$and', ''),
  row('query operator', '$or', ''),
  row('query operator', '$nor', ''),
  row('query operator', '$not', ''),
  row('query operator', '$exists', ''),
  row('query operator', '$regex', 'options i, m, s, x; of PCRE what means the same in JavaScript'),
  row('query operator', '$elemMatch', ''),
  row('query operator', '$size', ''),
  row('query operator', '$comment', ''),

  row('update operator', '$set', ''),
  row('update operator', '$setOnInsert', ''),
  row('update operator', '$unset', ''),
  row('update operator', '$inc', ''),
  row('update operator', '$min', ''),
  row('update operator', '$max', ''),
  row('update operator', '$push', 'with `$each`, `$position`, `$slice`, `$sort`'),
  row('update operator', '$addToSet', 'with `$each`'),
  row('update operator', '$pull', ''),

  row(
    'aggregation stage',
    '$changeStream',
    'of a collection or a database, then `$match` and `$project`; `resumeAfter`, `startAfter`, `startAtOperationTime`, `fullDocument: updateLookup`',
  ),
  row('aggregation stage', '$match', 'at the start it uses indexes'),
  row('aggregation stage', '$sort', 'after a leading `$match` it uses indexes'),
  row('aggregation stage', '$skip', ''),
  row('aggregation stage', '$limit', ''),
  row('aggregation stage', '$group', ''),
  row('aggregation stage', '$project', 'inclusion, exclusion, top-level computed fields'),
  row('aggregation stage', '$count', ''),
  row('aggregation stage', '$unwind', ''),

  row('accumulator', '$sum', ''),
  row('accumulator', '$avg', 'of int, long and double'),
  row('accumulator', '$min', ''),
  row('accumulator', '$max', ''),
  row('accumulator', '$first', ''),
  row('accumulator', '$last', ''),
  row('accumulator', '$push', ''),
  row('accumulator', '$addToSet', ''),
  row('accumulator', '$count', ''),

  row('expression', '$literal', ''),
  row('expression', '$add', 'numbers'),
  row('expression', '$subtract', 'numbers'),
  row('expression', '$multiply', 'numbers'),
  row('expression', '$eq', ''),
  row('expression', '$ne', ''),
  row('expression', '$gt', ''),
  row('expression', '$gte', ''),
  row('expression', '$lt', ''),
  row('expression', '$lte', ''),
  row('expression', '$and', ''),
  row('expression', '$or', ''),
  row('expression', '$not', ''),
  row('expression', '$cond', ''),
  row('expression', '$ifNull', ''),
  row('expression', '$size', ''),
];

const BY_KIND = new Map<string, Map<string, ProfileRow>>();
for (const each of PROFILE) {
  let rows = BY_KIND.get(each.kind);
  if (!rows) BY_KIND.set(each.kind, (rows = new Map()));
  rows.set(each.name, each);
}

/** The row of a name, or undefined if it is outside the profile. */
export function profileRow(kind: ProfileRow['kind'], name: string): ProfileRow | undefined {
  return BY_KIND.get(kind)?.get(name);
}

/** MongoDB query operators outside the profile, which are rejected as such; unknown names are errors as in MongoDB. */
export const FOREIGN_QUERY_OPERATORS: ReadonlySet<string> = new Set([
  '$all',
  '$bitsAllClear',
  '$bitsAllSet',
  '$bitsAnyClear',
  '$bitsAnySet',
  '$box',
  '$center',
  '$centerSphere',
  '$expr',
  '$geoIntersects',
  '$geoWithin',
  '$jsonSchema',
  '$maxDistance',
  '$minDistance',
  '$mod',
  '$near',
  '$nearSphere',
  '$rand',
  '$sampleRate',
  '$text',
  '$type',
  '$where',
  '$within',
  '$alwaysTrue',
  '$alwaysFalse',
  '$geometry',
  '$polygon',
]);

/** MongoDB update operators outside the profile. */
export const FOREIGN_UPDATE_OPERATORS: ReadonlySet<string> = new Set([
  '$mul',
  '$rename',
  '$currentDate',
  '$pop',
  '$pullAll',
  '$bit',
]);
