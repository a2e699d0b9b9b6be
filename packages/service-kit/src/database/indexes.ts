import { createHash } from 'node:crypto';
import { BSON, MongoServerError, type Collection, type Db, type Document, type IndexDescription } from 'mongodb';
import type { Logger } from '../observability/log.ts';
import type { IndexPlan } from './database.ts';

/** Server error codes: no such collection, no such index, an index with other options has this key or name. */
const NAMESPACE_NOT_FOUND = 26;
const INDEX_NOT_FOUND = 27;
const OPTIONS_CONFLICT = 85;
const KEY_SPECS_CONFLICT = 86;

const hasCode = (error: unknown, ...codes: readonly number[]): boolean =>
  error instanceof MongoServerError && codes.includes(Number(error.code));

/** Indexes that a schema change drops, by collection: those that neither this release nor the previous one uses. */
export type DroppedIndexes = Readonly<Record<string, readonly string[]>>;

/** An index as `listIndexes` shows it. */
type ExistingIndex = IndexDescription & { readonly name: string };

/** All that decides what an index does: two with the same definition are the same index. */
function definitionOf({ key, unique, partialFilterExpression, sparse, expireAfterSeconds }: IndexDescription): string {
  const entries = key instanceof Map ? [...key] : Object.entries(key);
  return BSON.EJSON.stringify([
    entries,
    unique === true,
    partialFilterExpression ?? null,
    sparse === true,
    expireAfterSeconds ?? null,
  ]);
}

/** MongoDB's own name for an index: `status_1_date_-1`. */
const defaultName = ({ key }: IndexDescription): string =>
  (key instanceof Map ? [...key] : Object.entries(key)).map(([field, order]) => `${field}_${String(order)}`).join('_');

const indexesOf = async (collection: Collection): Promise<ExistingIndex[]> => {
  try {
    return (await collection.listIndexes().toArray()) as ExistingIndex[];
  } catch (error) {
    if (hasCode(error, NAMESPACE_NOT_FOUND)) return [];
    throw error;
  }
};

/** The plans of all collections; a collection may be in several. */
function plannedIndexes(plans: readonly IndexPlan[]): Map<string, IndexDescription[]> {
  const planned = new Map<string, IndexDescription[]>();
  for (const [collection, indexes] of plans.flatMap((plan) => Object.entries(plan)))
    planned.set(collection, [...(planned.get(collection) ?? []), ...indexes]);
  return planned;
}

/**
 * Creates missing indexes. An index with the same definition counts as existing, whatever its name. If another index
 * has the name, the new one gets a name of its own, so that replicas of the previous release keep theirs; a schema
 * change of a later release drops the old one (see `dropsIndexes`).
 *
 * @throws Error naming the collection, if the database rejects one
 */
export async function ensureIndexes(db: Db, plans: readonly IndexPlan[], log?: Pick<Logger, 'info'>): Promise<void> {
  for (const [name, indexes] of plannedIndexes(plans)) {
    if (indexes.length === 0) continue;
    const collection = db.collection(name);
    try {
      const existing = await indexesOf(collection);
      const known = new Set(existing.map(definitionOf));
      const names = new Set(existing.map((index) => index.name));
      const missing = indexes.filter((index) => !known.has(definitionOf(index)));
      if (missing.length > 0) await create(collection, missing, names);
      const used = new Set(indexes.map(definitionOf));
      const unused = existing.filter((index) => index.name !== '_id_' && !used.has(definitionOf(index)));
      if (unused.length > 0)
        log?.info(
          { collection: name, indexes: unused.map((index) => index.name) },
          'this release uses no such indexes',
        );
    } catch (error) {
      throw new Error(`the indexes of collection ${name} could not be created: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
}

/** Creates all in one command, in which MongoDB reads the collection once; one by one if an existing index is in the way. */
async function create(collection: Collection, indexes: readonly IndexDescription[], names: Set<string>): Promise<void> {
  const named = indexes.map((index) => ({ ...index, name: freeName(index, names) }));
  try {
    await collection.createIndexes(named);
  } catch (error) {
    if (!hasCode(error, OPTIONS_CONFLICT, KEY_SPECS_CONFLICT)) throw error;
    for (const index of named) await createOne(collection, index);
  }
}

/** Its usual name, or one of its own if another index has that. */
function freeName(index: IndexDescription, names: Set<string>): string {
  const usual = index.name ?? defaultName(index);
  const name = names.has(usual)
    ? `${usual}_${createHash('sha256').update(definitionOf(index)).digest('hex').slice(0, 8)}`
    : usual;
  names.add(name);
  return name;
}

async function createOne(collection: Collection, index: ExistingIndex): Promise<void> {
  try {
    await collection.createIndexes([index]);
  } catch (error) {
    if (!hasCode(error, OPTIONS_CONFLICT, KEY_SPECS_CONFLICT)) throw error;
    await resolveConflict(collection, index);
  }
}

/**
 * MongoDB doesn't keep two indexes with the same key and filter, so the old one must be dropped first, unless another
 * replica was faster and the new index exists by now.
 */
async function resolveConflict(collection: Collection, index: ExistingIndex): Promise<void> {
  const existing = await indexesOf(collection);
  if (existing.some((other) => definitionOf(other) === definitionOf(index))) return;
  const isInTheWay = (other: ExistingIndex): boolean =>
    BSON.EJSON.stringify([Object.entries(other.key), other.partialFilterExpression ?? null]) ===
    BSON.EJSON.stringify([Object.entries(index.key), index.partialFilterExpression ?? null]);
  for (const other of existing.filter(isInTheWay)) await drop(collection, other.name);
  await collection.createIndexes([index]);
}

async function drop(collection: Collection, name: string): Promise<void> {
  try {
    await collection.dropIndex(name);
  } catch (error) {
    if (!hasCode(error, INDEX_NOT_FOUND, NAMESPACE_NOT_FOUND)) throw error;
  }
}

/**
 * Drops indexes that nothing uses any more, except those that the plans name again.
 *
 * @returns names of the dropped indexes, as `collection.index`
 */
export async function dropIndexes(db: Db, dropped: DroppedIndexes, plans: readonly IndexPlan[]): Promise<string[]> {
  const planned = plannedIndexes(plans);
  const gone: string[] = [];
  for (const [name, indexes] of Object.entries(dropped)) {
    const collection = db.collection<Document>(name);
    const used = new Set((planned.get(name) ?? []).map(definitionOf));
    for (const index of await indexesOf(collection)) {
      if (!indexes.includes(index.name) || used.has(definitionOf(index))) continue;
      await drop(collection, index.name);
      gone.push(`${name}.${index.name}`);
    }
  }
  return gone;
}
