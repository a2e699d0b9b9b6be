import { Timestamp } from 'bson';
import { STAGES } from '../aggregate/stages.ts';
import type { Stage } from '../aggregate/stages.ts';
import { encode } from '../bson/encode.ts';
import { isDoc, typeName } from '../bson/values.ts';
import type { Doc, Value } from '../bson/values.ts';
import { CommandError, outsideProfile } from '../errors.ts';
import { present } from '../present.ts';
import type { Catalogue } from '../storage/catalogue.ts';
import { positionOf, resumeToken } from '../storage/changes.ts';
import type { Changes, Position, RecordedChange } from '../storage/changes.ts';
import type { Store } from '../storage/store.ts';
import { parseFilter } from './filter-parser.ts';
import { QueryRun } from './query.ts';

/**
 * Thrown by a `getMore` that has nothing to return yet: it runs again after the next change, or when its time is up. Each
 * stream has one, because most of the time of a wait would go into the stack of a new one.
 */
export class ChangeWait extends Error {
  readonly db: string;

  constructor(db: string) {
    super('waiting for a change');
    this.db = db;
  }
}

/** The parts of the engine that a stream reads. */
interface Source {
  store: Store;
  catalogue: Catalogue;
  changes: Changes;
}

/** What a stream watches: a collection, or all of a database. */
export interface Scope {
  db: string;
  collection: string | undefined;
}

/** Supported stages after `$changeStream`. */
const FOLLOWING: ReadonlySet<string> = new Set(['$match', '$project']);
const OPTIONS: ReadonlySet<string> = new Set(['fullDocument', 'resumeAfter', 'startAfter', 'startAtOperationTime']);
/** Options that may be sent with their default values. */
const DEFAULTS: Readonly<Record<string, Value>> = {
  fullDocumentBeforeChange: 'off',
  showExpandedEvents: false,
  allChangesForCluster: false,
};
/** A batch ends with the event that exceeds this, as batches of documents do. */
const BATCH_BYTES = 2 * 1024 * 1024;

interface Queued {
  bytes: Buffer;
  position: Position;
}

/** An open change stream: its filter and how far it has read. */
export class ChangeStream {
  readonly scope: Scope;
  readonly wait: ChangeWait;
  private readonly engine: Source;
  private readonly stages: Stage[];
  private readonly looksUp: boolean;
  /** How far it has read, including queued events. */
  private position: Position;
  /** The event that was returned last. */
  private returned: Position;
  private queue: Queued[] = [];
  /** Whether it has ended with an `invalidate`. */
  private invalidated = false;

  /**
   * @param pipeline stages as sent, the first of which is `$changeStream`
   * @throws CommandError 286 if the history doesn't reach back to where it should start
   */
  constructor(engine: Source, scope: Scope, pipeline: readonly (readonly [name: string, argument: Value])[]) {
    const [first, ...following] = pipeline;
    const options = present(first)[1];
    if (!isDoc(options))
      throw new CommandError(50808, `$changeStream must take a nested object but found: ${typeName(options)}`);
    for (const [name, value] of options) {
      if (!OPTIONS.has(name) && DEFAULTS[name] !== value) throw outsideProfile(`The option ${name} of $changeStream`);
    }
    this.engine = engine;
    this.scope = scope;
    this.wait = new ChangeWait(scope.db);
    this.looksUp = fullDocumentOf(options.get('fullDocument'));
    this.stages = following.map(([name, argument]) => {
      if (!FOLLOWING.has(name)) throw outsideProfile(`The stage ${name} after $changeStream`);
      return present(STAGES[name])(argument);
    });
    engine.changes.watch(scope.db);
    this.position = this.startOf(options);
    this.returned = this.position;
  }

  /**
   * The next events.
   *
   * @param size maximum number of events; Infinity for as many as fit
   * @returns the events, the token of how far the stream has read, and whether it has ended
   */
  read(size: number): { batch: Buffer[]; token: Map<string, string>; ended: boolean } {
    this.engine.changes.watch(this.scope.db);
    const batch: Buffer[] = [];
    let bytes = 0;
    while (batch.length < size && bytes < BATCH_BYTES) {
      if (this.queue.length === 0 && !this.fill()) break;
      const next = this.queue.shift();
      if (!next) continue;
      batch.push(next.bytes);
      bytes += next.bytes.length;
      this.returned = next.position;
    }
    const token = this.queue.length > 0 ? this.returned : this.position;
    return { batch, token: resumeToken(token), ended: this.invalidated && this.queue.length === 0 };
  }

  /** Reads further in the history. @returns false at its end */
  private fill(): boolean {
    if (this.invalidated) return false;
    const { changes } = this.engine;
    changes.checkReach(this.scope.db, this.position.id);
    const from = this.position.id;
    const found = changes.after(this.scope.db, from);
    for (const change of found.changes) {
      if (!this.isInScope(change)) continue;
      this.push(this.eventOf(change), { id: change.id, invalidate: false });
      if (!this.isInvalidating(change)) continue;
      this.position = this.invalidate(change);
      return true;
    }
    this.position = { id: found.reached, invalidate: false };
    return found.changes.length > 0;
  }

  /** Queues the `invalidate` after a change. @returns its position */
  private invalidate({ id, event }: RecordedChange): Position {
    const position = { id, invalidate: true };
    this.push(
      new Map<string, Value>([
        ['_id', resumeToken(position)],
        ['operationType', 'invalidate'],
        ['clusterTime', event.get('clusterTime') ?? null],
        ['wallTime', event.get('wallTime') ?? null],
      ]),
      position,
    );
    this.invalidated = true;
    return position;
  }

  private push(event: Doc, position: Position): void {
    for (const doc of this.stages.reduce<Iterable<Doc>>((docs, stage) => stage(docs), [event])) {
      if (!doc.has('_id'))
        throw new CommandError(
          280,
          'Encountered an event whose _id field, which contains the resume token, was modified by the pipeline. Modifying the _id field of an event makes it impossible to resume the stream from that point.',
          { labels: ['NonResumableChangeStreamError'] },
        );
      this.queue.push({ bytes: encode(doc), position });
    }
  }

  private isInScope({ collection, operation }: RecordedChange): boolean {
    if (this.scope.collection === undefined) return true;
    return operation !== 'dropDatabase' && collection === this.scope.collection;
  }

  /** A stream ends when its collection or database is dropped. */
  private isInvalidating({ operation }: RecordedChange): boolean {
    return operation === (this.scope.collection === undefined ? 'dropDatabase' : 'drop');
  }

  private eventOf({ id, operation, collection, event }: RecordedChange): Doc {
    const result: Doc = new Map([['_id', resumeToken({ id, invalidate: false })]]);
    for (const [name, value] of event) {
      if (name === 'ns' && operation === 'update' && this.looksUp)
        result.set('fullDocument', this.current(collection, event.get('documentKey')));
      result.set(name, value);
    }
    return result;
  }

  /** The document's current state; null if it has been deleted. */
  private current(name: string, key: Value | undefined): Value {
    const { catalogue, store } = this.engine;
    const collection = catalogue.get(this.scope.db, name);
    if (!collection || !isDoc(key)) return null;
    const query = { filter: parseFilter(key), sort: [], skip: 0, limit: 1 };
    for (const { doc } of new QueryRun(store, collection, query).matches()) return doc;
    return null;
  }

  private startOf(options: Doc): Position {
    const { changes } = this.engine;
    const { db } = this.scope;
    const given = ['resumeAfter', 'startAfter', 'startAtOperationTime'].filter((name) => options.has(name));
    if (given.length > 1)
      throw new CommandError(
        40674,
        `Only one type of resume option is allowed, but multiple were found: ${given.join(', ')}`,
      );
    const time = options.get('startAtOperationTime');
    if (time !== undefined) {
      if (!(time instanceof Timestamp))
        throw new CommandError(14, "BSON field '$changeStream.startAtOperationTime' must be a timestamp");
      return { id: changes.positionAt(db, time), invalidate: false };
    }
    if (given.length === 0) return { id: changes.latest(), invalidate: false };
    const position = positionOf(options.get(given[0] ?? ''));
    if (position.invalidate && given[0] === 'resumeAfter')
      throw new CommandError(
        260,
        "Attempting to resume a change stream using 'resumeAfter' is not allowed from an invalidate notification.",
      );
    changes.checkReach(db, position.id);
    // Between the drop and the `invalidate` that follows it.
    const [last] = changes.after(db, position.id - 1).changes;
    if (last?.id === position.id && !position.invalidate && this.isInScope(last) && this.isInvalidating(last))
      return this.invalidate(last);
    return position;
  }
}

function fullDocumentOf(value: Value | undefined): boolean {
  if (value === undefined || value === 'default') return false;
  if (value === 'updateLookup') return true;
  throw outsideProfile('fullDocument of $changeStream other than default and updateLookup');
}
