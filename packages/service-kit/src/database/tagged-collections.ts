import type { Collection, Db, Document } from 'mongodb';
import { requestScope } from '../http/request-scope.ts';

/** Position of the options argument of each collection method. */
const optionsAt = {
  find: 1,
  findOne: 1,
  aggregate: 1,
  countDocuments: 1,
  estimatedDocumentCount: 0,
  distinct: 2,
  insertOne: 1,
  insertMany: 1,
  updateOne: 2,
  updateMany: 2,
  replaceOne: 2,
  deleteOne: 1,
  deleteMany: 1,
  findOneAndUpdate: 2,
  findOneAndReplace: 2,
  findOneAndDelete: 1,
  bulkWrite: 1,
} as const satisfies { readonly [Name in keyof Collection]?: number };

/** Operations per request kept for the log. */
const mostOperations = 20;

type Operation = (...args: unknown[]) => unknown;

/**
 * Adds the request's id as MongoDB's `comment` to every operation, so that the database's log, profiler and `currentOp`
 * show which request it serves. Modifies the given database object, using only the driver's public options.
 */
export function tagCollections(db: Db): void {
  const open = db.collection.bind(db);
  const tagged = new Map<string, Collection>();
  db.collection = <Schema extends Document>(name: string, options?: Parameters<typeof open>[1]): Collection<Schema> => {
    if (options !== undefined) return tag(open(name, options)) as unknown as Collection<Schema>;
    let collection = tagged.get(name);
    if (!collection) {
      collection = tag(open(name));
      tagged.set(name, collection);
    }
    return collection as unknown as Collection<Schema>;
  };
}

function tag(collection: Collection): Collection {
  const operations = collection as unknown as Record<string, Operation>;
  for (const [name, place] of Object.entries(optionsAt)) {
    const label = `${name} ${collection.collectionName}`;
    const plain = operations[name]?.bind(collection);
    if (!plain) throw new Error(`The driver's collections have no ${name}`);
    operations[name] = (...args) => {
      const notes = requestScope.getStore();
      if (!notes) return plain(...args);
      const { operations: list = (notes.operations = []) } = notes;
      if (list.length < mostOperations) list.push(label);
      while (args.length < place) args.push(undefined);
      args[place] = { comment: notes.requestId, ...(args[place] as object | undefined) };
      return plain(...args);
    };
  }
  return collection;
}
