import { Int32 } from 'bson';
import { compare, identical } from '../bson/comparator.ts';
import { encode } from '../bson/encode.ts';
import { decode } from '../bson/decode.ts';
import { isDoc } from '../bson/values.ts';
import type { Doc, Value } from '../bson/values.ts';
import { CommandError, outsideProfile } from '../errors.ts';
import { present } from '../present.ts';
import { isTruthy, parseFilter } from '../query/filter-parser.ts';
import { parseProjection } from '../query/projection.ts';
import { matches } from '../query/matcher.ts';
import { buildIndex } from '../storage/build-index.ts';
import type { Collection } from '../storage/catalogue.ts';
import { checkIndexSpec } from '../storage/indexes.ts';
import type { Index } from '../storage/indexes.ts';
import { collectionName, countArg, docArg } from './command.ts';
import type { Engine, Handler, Request } from './command.ts';

/** `create` */
export const create: Handler = (engine, request) => {
  const name = collectionName(request);
  if (engine.catalogue.get(request.db, name))
    throw new CommandError(48, `Collection ${request.db}.${name} already exists.`);
  engine.catalogue.ensure(request.db, name);
  return { ok: 1 };
};

function dropCollection(engine: Engine, collection: Collection): void {
  engine.transactions.checkUnused(collection);
  engine.cursors.killWhere(({ namespace, stream }) => !stream && namespace === `${collection.db}.${collection.name}`);
  // Snapshots can no longer show its documents.
  engine.snapshots.clear();
  engine.catalogue.drop(collection);
  engine.changes.record({ operation: 'drop', db: collection.db, collection: collection.name });
}

/** `drop`; as in MongoDB 7, dropping what doesn't exist succeeds. */
export const drop: Handler = (engine, request) => {
  const name = collectionName(request);
  const collection = engine.catalogue.get(request.db, name);
  if (!collection) return { ok: 1 };
  const nIndexesWas = collection.indexes.length;
  dropCollection(engine, collection);
  return { nIndexesWas, ns: `${request.db}.${name}`, ok: 1 };
};

/** `dropDatabase` */
export const dropDatabase: Handler = (engine, request) => {
  const collections = engine.catalogue.list(request.db);
  for (const collection of collections) dropCollection(engine, collection);
  if (collections.length > 0) engine.changes.record({ operation: 'dropDatabase', db: request.db });
  return { ...(collections.length > 0 ? { dropped: request.db } : {}), ok: 1 };
};

/** `listCollections` */
export const listCollections: Handler = (engine, request) => {
  const filter = parseFilter(docArg(request, 'filter'));
  const all = engine.catalogue.list(request.db).map(({ name, indexes }) =>
    decode(
      encode({
        name,
        type: 'collection',
        options: {},
        info: { readOnly: false },
        idIndex: present(indexes[0]).spec,
      }),
    ),
  );
  const shown = parseProjection(
    isTruthy(request.args.get('nameOnly'))
      ? new Map([
          ['name', true],
          ['type', true],
          ['_id', false],
        ])
      : new Map(),
  );
  const found = all.filter((doc) => matches(filter, doc)).map((doc) => encode(shown ? shown(doc) : doc));
  const batchSize = countArg({ ...request, args: docArg(request, 'cursor') }, 'batchSize');
  return engine.cursors.first(`${request.db}.$cmd.listCollections`, found[Symbol.iterator](), batchSize, true);
};

function existingCollection(engine: Engine, request: Request): Collection {
  const name = collectionName(request);
  const collection = engine.catalogue.get(request.db, name);
  if (!collection) throw new CommandError(26, `ns does not exist: ${request.db}.${name}`);
  return collection;
}

/** `listIndexes` */
export const listIndexes: Handler = (engine, request) => {
  const collection = existingCollection(engine, request);
  const specs = collection.indexes.map(({ spec }) => encode(spec));
  const batchSize = countArg({ ...request, args: docArg(request, 'cursor') }, 'batchSize');
  return engine.cursors.first(`${request.db}.${collection.name}`, specs[Symbol.iterator](), batchSize, true);
};

/** `createIndexes` */
export const createIndexes: Handler = (engine, request) => {
  const name = collectionName(request);
  const specs = request.args.get('indexes');
  if (!Array.isArray(specs) || specs.length === 0)
    throw new CommandError(2, 'Must specify at least one index to create');
  const checked = specs.map((spec) => {
    if (!isDoc(spec)) throw new CommandError(14, "BSON field 'createIndexes.indexes' must hold objects");
    return checkIndexSpec(new Map([...spec, ['v', V2]]));
  });
  const created = !engine.catalogue.get(request.db, name);
  const collection = engine.catalogue.ensure(request.db, name);
  const numIndexesBefore = collection.indexes.length;
  for (const spec of checked) {
    if (existingIndex(collection, spec)) continue;
    engine.transactions.checkUnused(collection);
    buildIndex(engine.store, engine.catalogue, collection, engine.catalogue.addIndex(collection, spec));
  }
  const numIndexesAfter = collection.indexes.length;
  return {
    numIndexesBefore,
    numIndexesAfter,
    createdCollectionAutomatically: created,
    ...(numIndexesAfter === numIndexesBefore ? { note: 'all indexes already exist' } : {}),
    ok: 1,
  };
};

const V2 = new Int32(2);

/** @throws CommandError 85 or 86 if a different index with that key or name exists */
function existingIndex(collection: Collection, spec: Doc): boolean {
  const sameOptions = (index: Index): boolean =>
    index.unique === (spec.get('unique') === true) &&
    compare(index.spec.get('expireAfterSeconds'), spec.get('expireAfterSeconds')) === 0 &&
    compare(index.spec.get('partialFilterExpression'), spec.get('partialFilterExpression')) === 0;
  const key = spec.get('key') as Doc;
  if (key.size === 1 && key.has('_id')) return true;
  for (const index of collection.indexes) {
    const sameKey =
      compare(index.spec.get('key'), key) === 0 &&
      identical([...(index.spec.get('key') as Doc).keys()], [...key.keys()]);
    if (index.name === spec.get('name')) {
      if (sameKey && sameOptions(index)) return true;
      throw new CommandError(
        86,
        `An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation. Requested index: ${index.name}`,
      );
    }
    if (sameKey && compare(index.spec.get('partialFilterExpression'), spec.get('partialFilterExpression')) === 0) {
      throw new CommandError(85, `Index already exists with a different name: ${index.name}`);
    }
  }
  return false;
}

/** `dropIndexes`, by name, key pattern, list of names, or `*` for all except that of `_id`. */
export const dropIndexes: Handler = (engine, request) => {
  const collection = existingCollection(engine, request);
  const given = request.args.get('index');
  const nIndexesWas = collection.indexes.length;
  engine.transactions.checkUnused(collection);
  const list = Array.isArray(given) ? given : [given];
  const doomed = given === '*' ? collection.indexes.slice(1) : list.map((each) => findIndex(collection, each));
  // A cursor may be reading one of them.
  engine.cursors.killWhere(({ namespace, stream }) => !stream && namespace === `${collection.db}.${collection.name}`);
  for (const index of doomed) engine.catalogue.dropIndex(collection, index);
  return { nIndexesWas, ok: 1 };
};

function findIndex(collection: Collection, given: Value | undefined): Index {
  if (typeof given !== 'string' && !isDoc(given))
    throw outsideProfile('dropIndexes by anything but name or key pattern');
  const index = collection.indexes.find(({ name, spec }) =>
    typeof given === 'string' ? name === given : compare(spec.get('key'), given) === 0,
  );
  if (!index)
    throw new CommandError(
      27,
      `index not found with name [${typeof given === 'string' ? given : [...given.keys()].join(', ')}]`,
    );
  if (index === collection.indexes[0]) throw new CommandError(72, 'cannot drop _id index');
  return index;
}
