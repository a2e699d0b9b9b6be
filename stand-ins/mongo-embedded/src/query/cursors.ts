import { Long } from 'bson';
import type { Timestamp } from 'bson';
import { RawDocument } from '../bson/encode.ts';
import type { Encodable } from '../bson/encode.ts';
import { CommandError } from '../errors.ts';
import type { Transaction } from '../storage/transactions.ts';
import type { ChangeStream } from './change-stream.ts';

/** A result that is fetched batch by batch. It holds no storage iterator between batches. */
interface Cursor {
  id: bigint;
  namespace: string;
  documents: Iterator<Buffer>;
  /** A document that was read but not sent yet. */
  pending?: Buffer;
  transaction?: Transaction;
  /** Set if it reads a change stream, which has no end. */
  stream?: ChangeStream;
  usedAt: number;
}

const DEFAULT_FIRST_BATCH = 101;
/** A batch ends with the document that exceeds this, so that a long result neither blocks others nor fills memory. */
const BATCH_BYTES = 2 * 1024 * 1024;
const IDLE_MS = 10 * 60_000;

/** The open cursors. */
export class Cursors {
  private readonly cursors = new Map<bigint, Cursor>();
  private nextId = BigInt(Date.now()) << 20n;

  /**
   * The reply of a command that returns a cursor, which stays open if there is more.
   * @param batchSize documents in the first batch
   * @param keep false to return only the first batch
   * @param atClusterTime time of the snapshot it reads, for the reply
   */
  first(
    namespace: string,
    documents: Iterator<Buffer>,
    batchSize: number | undefined,
    keep: boolean,
    transaction?: Transaction,
    atClusterTime?: Timestamp,
  ): { [name: string]: Encodable } {
    const cursor: Cursor = {
      id: 0n,
      namespace,
      documents,
      usedAt: Date.now(),
      ...(transaction ? { transaction } : {}),
    };
    const batch = this.batch(cursor, batchSize ?? DEFAULT_FIRST_BATCH);
    if (cursor.pending && keep) {
      cursor.id = this.nextId++;
      this.cursors.set(cursor.id, cursor);
    }
    return {
      cursor: {
        firstBatch: batch,
        id: Long.fromBigInt(cursor.id),
        ns: namespace,
        ...(atClusterTime ? { atClusterTime } : {}),
      },
      ok: 1,
    };
  }

  /** The reply of an aggregation that opens a change stream. */
  openStream(namespace: string, stream: ChangeStream, batchSize: number | undefined): { [name: string]: Encodable } {
    const { batch, token, ended } = stream.read(batchSize ?? DEFAULT_FIRST_BATCH);
    const id = ended ? 0n : this.nextId++;
    if (!ended) this.cursors.set(id, { id, namespace, documents: [][Symbol.iterator](), stream, usedAt: Date.now() });
    const firstBatch = batch.map((bytes) => new RawDocument(bytes));
    return { cursor: { firstBatch, postBatchResumeToken: token, id: Long.fromBigInt(id), ns: namespace }, ok: 1 };
  }

  /**
   * The reply of getMore.
   * @param batchSize 0 or undefined for as many as fit
   * @param waited whether a change stream responds even if there is nothing new
   * @throws ChangeWait if a change stream has nothing new yet
   */
  next(
    id: bigint,
    namespace: string,
    batchSize: number | undefined,
    transaction?: Transaction,
    waited = false,
  ): { [name: string]: Encodable } {
    const cursor = this.cursors.get(id);
    if (!cursor) throw new CommandError(43, `cursor id ${id} not found`);
    if (cursor.namespace !== namespace)
      throw new CommandError(
        13,
        `Requested getMore on namespace '${namespace}', but cursor belongs to a different namespace ${cursor.namespace}`,
      );
    if (cursor.transaction !== transaction)
      throw new CommandError(50739, `Cannot run getMore on cursor ${id} outside of the transaction it was created in`);
    cursor.usedAt = Date.now();
    if (cursor.stream) return this.nextChanges(cursor, cursor.stream, batchSize || Infinity, waited);
    const batch = this.batch(cursor, batchSize || Infinity);
    if (!cursor.pending) this.cursors.delete(id);
    return { cursor: { nextBatch: batch, id: Long.fromBigInt(cursor.pending ? id : 0n), ns: namespace }, ok: 1 };
  }

  /** @throws ChangeWait if there is nothing new yet */
  private nextChanges(
    { id, namespace }: Cursor,
    stream: ChangeStream,
    size: number,
    waited: boolean,
  ): { [name: string]: Encodable } {
    let changes: ReturnType<ChangeStream['read']>;
    try {
      changes = stream.read(size);
    } catch (error) {
      this.cursors.delete(id);
      throw error;
    }
    const { batch, token, ended } = changes;
    if (batch.length === 0 && !ended && !waited) throw stream.wait;
    if (ended) this.cursors.delete(id);
    const nextBatch = batch.map((bytes) => new RawDocument(bytes));
    return {
      cursor: { nextBatch, postBatchResumeToken: token, id: Long.fromBigInt(ended ? 0n : id), ns: namespace },
      ok: 1,
    };
  }

  /** @returns the ids that were open */
  kill(ids: bigint[]): bigint[] {
    return ids.filter((id) => this.cursors.delete(id));
  }

  /** Closes cursors, for example of a dropped collection or an ended transaction. */
  killWhere(
    condition: (cursor: { namespace: string; transaction?: Transaction; stream?: ChangeStream }) => boolean,
  ): void {
    for (const [id, cursor] of this.cursors) if (condition(cursor)) this.cursors.delete(id);
  }

  reap(now = Date.now()): void {
    for (const [id, { usedAt }] of this.cursors) if (usedAt < now - IDLE_MS) this.cursors.delete(id);
  }

  private batch(cursor: Cursor, size: number): RawDocument[] {
    const batch: RawDocument[] = [];
    let bytes = 0;
    let next = cursor.pending ?? this.read(cursor);
    while (next && batch.length < size && bytes < BATCH_BYTES) {
      batch.push(new RawDocument(next));
      bytes += next.length;
      next = this.read(cursor);
    }
    if (next) cursor.pending = next;
    else delete cursor.pending;
    return batch;
  }

  private read(cursor: Cursor): Buffer | undefined {
    const { done, value } = cursor.documents.next();
    return done ? undefined : value;
  }
}
