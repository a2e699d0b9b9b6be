import type { ChangeStream, Db, Document, ObjectId } from 'mongodb';

/** What changes in others' records by itself, or for everybody: stock, and what waits for free times. */
const shared = new Set([
  'quantity',
  'booked',
  'moves',
  'status',
  'writes',
  'bookedWithoutAccount',
  'changedAt',
  'staffChecked',
]);
/** Of the services themselves. */
const notRecords = new Set([
  'counts',
  'events',
  'freedTimes',
  'guards',
  'idempotency',
  'locks',
  'looks',
  'markers',
  'outbox',
  'persons',
  'rollups',
  'schemaChanges',
  'userTallies',
  'usedLinks',
]);

/** A record that was made, changed or removed; empty where it isn't there. */
export interface Change {
  readonly key: string;
  readonly before: string;
  readonly now: string;
}

/** The records of a service as they were last seen, by collection and id, and the stream of what has changed since. */
export class Watched {
  private readonly db: Db;
  private readonly stream: ChangeStream;
  private readonly records = new Map<string, string>();

  private constructor(db: Db) {
    this.db = db;
    this.stream = db.watch([], { fullDocument: 'updateLookup', maxAwaitTimeMS: 50 });
  }

  static async open(db: Db): Promise<Watched> {
    const watched = new Watched(db);
    await watched.stream.tryNext();
    for (const { collectionName } of await db.collections())
      if (isRecords(collectionName))
        for await (const record of db.collection(collectionName).find())
          watched.records.set(`${collectionName} ${String(record._id)}`, textOf(collectionName, record));
    return watched;
  }

  /** What has changed since the last call: cheaper than reading everything back thousands of times. */
  async changes(): Promise<Change[]> {
    // Whatever was written before this record comes before it in the stream.
    const { insertedId } = await this.db.collection('markers').insertOne({});
    const before = new Map<string, string>();
    for (;;) {
      const change = await this.stream.next();
      if (!('documentKey' in change)) continue;
      const { coll } = change.ns;
      const { _id } = change.documentKey;
      if (coll === 'markers' && insertedId.equals(_id as unknown as ObjectId)) break;
      if (!isRecords(coll)) continue;
      const key = `${coll} ${String(_id)}`;
      if (!before.has(key)) before.set(key, this.records.get(key) ?? '');
      const document = 'fullDocument' in change ? change.fullDocument : undefined;
      this.records.set(key, document ? textOf(coll, document) : '');
    }
    return [...before]
      .map(([key, was]) => ({ key, before: was, now: this.records.get(key) ?? '' }))
      .filter((change) => change.before !== change.now);
  }

  close(): Promise<void> {
    return this.stream.close();
  }
}

/** What the services do on a clock of their own: each asks every few seconds whom to erase. */
const onTheirOwn: Readonly<Record<string, readonly string[]>> = { dataHolders: ['lastSeenAt'] };

const isRecords = (collection: string): boolean =>
  !notRecords.has(collection) && !/Days|tallies|shard/i.test(collection);

const textOf = (collection: string, { _id, ...record }: Document): string =>
  JSON.stringify(record, (key, value: unknown) =>
    shared.has(key) || onTheirOwn[collection]?.includes(key) ? undefined : value,
  );
