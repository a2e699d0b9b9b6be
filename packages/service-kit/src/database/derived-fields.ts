import { ObjectId, type Collection, type Db } from 'mongodb';
import { BackgroundLoop } from '../background-loop.ts';
import type { ServiceContext } from '../context.ts';
import type { HistoryEvent } from '../history/events.ts';
import { rewriteRecords } from './rewrite-records.ts';
import type { SchemaChange } from './schema-changes.ts';

/** Milliseconds between two reads of the history. */
const readEvery = 10_000;

/**
 * Each read goes back this far (milliseconds): an event's timestamp precedes the commit of its transaction, and
 * replicas' clocks may differ.
 */
const overlap = 60_000;

/** Events, and records, processed together. */
const batchSize = 500;

/** Fields that are computed from others of the same record. */
export interface DerivedFields {
  /** The type of these records in the history. */
  readonly recordType: string;
  /** The actions after which they may differ; default: any. */
  readonly actions?: readonly string[];
  /**
   * Recomputes them where they differ.
   *
   * @param ids - of the records; default: all.
   * @returns number of records changed
   */
  readonly rewrite: (context: Pick<ServiceContext, 'db' | 'stopping'>, ids?: readonly ObjectId[]) => Promise<number>;
}

/** Declares {@link DerivedFields}; see {@link rewriteRecords} for `from` and `derive`. */
export function derivedFields<Row extends { readonly _id: ObjectId }, From extends keyof Row & string>({
  collection,
  from,
  derive,
  ...events
}: Pick<DerivedFields, 'recordType' | 'actions'> & {
  readonly collection: (db: Db) => Collection<Row>;
  readonly from: readonly From[];
  readonly derive: (row: Pick<Row, From>) => Partial<Row>;
}): DerivedFields {
  return { ...events, rewrite: (context, ids) => rewriteRecords(context, collection(context.db), from, derive, ids) };
}

interface Progress {
  readonly _id: 'derived-fields';
  /** The history has been read up to here. */
  readonly at: Date;
}

const progressOf = (db: Db): Collection<Progress> => db.collection('markers');

/**
 * The schema change that fills in derived fields, also after what they are derived by has changed. {@link keepDerivedFields} covers what earlier releases write
 * meanwhile.
 */
export function fillDerivedFields(
  number: number,
  name: string,
  fieldsOf: (context: ServiceContext) => readonly DerivedFields[],
): SchemaChange {
  return {
    number,
    name,
    up: async (context) => {
      await progressOf(context.db).updateOne(
        { _id: 'derived-fields' },
        { $setOnInsert: { at: new Date() } },
        { upsert: true },
      );
      for (const { rewrite } of fieldsOf(context)) await rewrite(context);
    },
  };
}

/**
 * Keeps derived fields up to date in the background: replicas of an earlier release don't write them, during an upgrade
 * or after going back. Their changes appear in the history, which is read on from where any replica has last read it.
 */
export function keepDerivedFields(context: ServiceContext, fields: readonly DerivedFields[]): void {
  const follower = new DerivedFieldsFollower(context, fields);
  const work = async (): Promise<void> => {
    const records = await follower.catchUp();
    if (records > 0) context.log.info({ records }, 'derived fields filled in that an earlier release had left out');
  };
  void new BackgroundLoop(context, { what: 'check of derived fields', work, every: readEvery }).run();
}

/** Reads the history from where it was last read, and recomputes the derived fields of the records it names. */
export class DerivedFieldsFollower {
  readonly #context: Pick<ServiceContext, 'db' | 'stopping'>;
  readonly #fields: readonly DerivedFields[];
  /** Events of the overlap that have been seen, with their times. */
  readonly #seen = new Map<string, number>();

  constructor(context: Pick<ServiceContext, 'db' | 'stopping'>, fields: readonly DerivedFields[]) {
    this.#context = context;
    this.#fields = fields;
  }

  /** @returns number of records whose fields differed */
  async catchUp(): Promise<number> {
    const { db, stopping } = this.#context;
    const began = Date.now();
    const progress = await progressOf(db).findOne({ _id: 'derived-fields' });
    const since = (progress?.at.getTime() ?? began) - overlap;
    for (const [id, at] of this.#seen) if (at < since) this.#seen.delete(id);
    const types = this.#fields.map(({ recordType }) => recordType);
    let rewritten = 0;
    let found = false;
    let batch: Pick<HistoryEvent, 'record' | 'action'>[] = [];
    // Use the index of times: that of the records would read their whole history.
    const events = db
      .collection<HistoryEvent>('events')
      .find(
        { at: { $gte: new Date(since) }, 'record.type': { $in: types } },
        { projection: { at: 1, record: 1, action: 1 }, hint: { at: 1 }, batchSize },
      );
    for await (const { _id, at, record, action } of events) {
      stopping.throwIfAborted();
      const id = _id.toHexString();
      if (this.#seen.has(id)) continue;
      this.#seen.set(id, at.getTime());
      found = true;
      if (batch.push({ record, action }) < batchSize) continue;
      rewritten += await this.#rewrite(batch);
      batch = [];
    }
    rewritten += await this.#rewrite(batch);
    // Without events there is nothing to skip next time, so an idle service writes nothing.
    if (found || !progress)
      await progressOf(db).updateOne({ _id: 'derived-fields' }, { $max: { at: new Date(began) } }, { upsert: true });
    return rewritten;
  }

  async #rewrite(events: readonly Pick<HistoryEvent, 'record' | 'action'>[]): Promise<number> {
    let rewritten = 0;
    for (const { recordType, actions, rewrite } of this.#fields) {
      const own = events.filter(
        ({ record, action }) => record.type === recordType && (actions === undefined || actions.includes(action)),
      );
      const ids = [...new Set(own.map(({ record }) => record.id))].filter((id) => ObjectId.isValid(id));
      if (ids.length > 0)
        rewritten += await rewrite(
          this.#context,
          ids.map((id) => new ObjectId(id)),
        );
    }
    return rewritten;
  }
}
