import type { ChangeStream, Db, Document, ObjectId } from 'mongodb';
import type { TestedService } from '../support/every-call.ts';
import { isCompared, progressMarkers, type ThreeServices } from '../support/three-services.ts';

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

/** Which records are watched, and what of them: nothing if the text is empty. */
interface Scope {
  isRecords(collection: string): boolean;
  textOf(collection: string, record: Document): string;
}

/** The records of a service as they were last seen, by collection and id, and the stream of what has changed since. */
export class Watched {
  private readonly db: Db;
  private readonly scope: Scope;
  private readonly stream: ChangeStream;
  private readonly records = new Map<string, string>();

  private constructor(db: Db, scope: Scope) {
    this.db = db;
    this.scope = scope;
    this.stream = db.watch([], { fullDocument: 'updateLookup', maxAwaitTimeMS: 50 });
  }

  static async open(db: Db, scope: Scope = ownedRecords): Promise<Watched> {
    const watched = new Watched(db, scope);
    await watched.stream.tryNext();
    for (const { collectionName } of await db.collections())
      if (scope.isRecords(collectionName))
        for await (const record of db.collection(collectionName).find())
          watched.records.set(`${collectionName} ${String(record._id)}`, scope.textOf(collectionName, record));
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
      if (!this.scope.isRecords(coll)) continue;
      const key = `${coll} ${String(_id)}`;
      if (!before.has(key)) before.set(key, this.records.get(key) ?? '');
      const document = 'fullDocument' in change ? change.fullDocument : undefined;
      this.records.set(key, document ? this.scope.textOf(coll, document) : '');
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

/** Those that belong to somebody. */
const ownedRecords: Scope = {
  isRecords: (collection) => !notRecords.has(collection) && !/Days|tallies|shard/i.test(collection),
  textOf: (collection, { _id, ...record }) =>
    JSON.stringify(record, (key, value: unknown) =>
      shared.has(key) || onTheirOwn[collection]?.includes(key) ? undefined : value,
    ),
};

/** All that {@link ThreeServices.dump} shows, but for the events of rejected sign-ins, which those may leave. */
const allData: Scope = {
  isRecords: isCompared,
  textOf(collection, { _id, ...record }) {
    if (collection === 'events' && record['action'] === 'sign-in refused') return '';
    if (collection === 'markers' && progressMarkers.includes(String(_id))) return '';
    return JSON.stringify(record, (key, value: unknown) =>
      collection === 'contacts' && key === 'writes' ? undefined : value,
    );
  },
};

/** What changes in the services' data. */
export interface FollowedData {
  /** What has changed in a service since it was last asked for; nothing at first. */
  changesIn(service: TestedService): Promise<Change[]>;
  close(): Promise<void>;
}

export function followData(services: ThreeServices): FollowedData {
  const watched = new Map<TestedService, Watched>();
  return {
    async changesIn(service) {
      await services.rest(service);
      const known = watched.get(service);
      if (known) return known.changes();
      watched.set(service, await Watched.open(services.databases[service], allData));
      return [];
    },
    async close() {
      for (const each of watched.values()) await each.close();
    },
  };
}
