import { writeConflict } from '../errors.ts';
import type { Collection } from './catalogue.ts';
import { Versions } from './versions.ts';

/** A document or unique key locked by an open transaction, and for a key, the record that has it (null: released). */
interface Lock {
  owner: Transaction;
  rid: number | null;
}

/**
 * Thrown by a write outside transactions whose document or key an open transaction has locked: it runs again
 * afterwards.
 */
export class LockWait extends Error {
  readonly owner: Transaction;

  constructor(owner: Transaction) {
    super('waiting for a transaction to end');
    this.owner = owner;
  }
}

/** A transaction, whose writes stay in memory, visible only to itself, until it commits. */
export class Transaction {
  /** The documents it has written, by collection; null for deleted ones. */
  readonly writes = new Map<number, Map<number, Buffer | null>>();
  /** Collections read or written, which DDL must not change meanwhile. */
  readonly touched = new Set<number>();
  readonly locks = new Set<string>();
  /** Reports its changes to change streams, in order; called at the commit. */
  readonly operations: (() => void)[] = [];
  /** Callbacks to run when the transaction ends. */
  readonly waiters: (() => void)[] = [];
  readonly startedAt = Date.now();

  written(collection: number): Map<number, Buffer | null> {
    let documents = this.writes.get(collection);
    if (!documents) this.writes.set(collection, (documents = new Map()));
    return documents;
  }
}

/** The open transactions, with their snapshots and locks. */
export class Transactions {
  readonly versions = new Versions();
  private readonly locks = new Map<string, Lock>();
  private readonly active = new Set<Transaction>();

  start(): Transaction {
    const transaction = new Transaction();
    this.active.add(transaction);
    this.versions.open(transaction);
    return transaction;
  }

  /** Ends a transaction, committed or not: releases its locks and runs the waiters. */
  end(transaction: Transaction): void {
    if (!this.active.delete(transaction)) return;
    for (const name of transaction.locks) this.locks.delete(name);
    this.versions.close(transaction);
    for (const resume of transaction.waiters.splice(0)) resume();
  }

  isActive(transaction: Transaction): boolean {
    return this.active.has(transaction);
  }

  list(): Transaction[] {
    return [...this.active];
  }

  /** @throws LockWait if an open transaction has locked this document or key */
  checkFree(name: string): void {
    const lock = this.locks.get(name);
    if (lock) throw new LockWait(lock.owner);
  }

  /** Whether there are no locks, so that writes needn't check. */
  get idle(): boolean {
    return this.locks.size === 0;
  }

  /** @throws CommandError 112 if another transaction has locked it */
  acquire(transaction: Transaction, name: string, rid: number | null): void {
    const lock = this.locks.get(name);
    if (lock && lock.owner !== transaction) throw writeConflict();
    this.locks.set(name, { owner: transaction, rid });
    transaction.locks.add(name);
  }

  /** The record with a key, as the transaction sees it; undefined if the transaction didn't touch the key. */
  heldKey(transaction: Transaction, name: string): number | null | undefined {
    const lock = this.locks.get(name);
    if (lock && lock.owner !== transaction) throw writeConflict();
    return lock?.rid;
  }

  /** @throws LockWait if an open transaction has used this collection, which DDL is about to change */
  checkUnused(collection: Collection): void {
    for (const transaction of this.active) {
      if (transaction.touched.has(collection.id)) throw new LockWait(transaction);
    }
  }

  /** One document as a transaction sees it (null: not at all), undefined if it is as stored. */
  seen(transaction: Transaction, collection: Collection, rid: number): Buffer | null | undefined {
    const own = transaction.writes.get(collection.id)?.get(rid);
    return own === undefined ? this.versions.at(transaction, collection.id, rid) : own;
  }

  /** Documents that a transaction sees differently from storage: older versions, overlaid by its own writes. */
  overlay(transaction: Transaction, collection: Collection): Map<number, Buffer | null> {
    transaction.touched.add(collection.id);
    const result = this.versions.overlay(transaction, collection.id);
    for (const [rid, doc] of transaction.writes.get(collection.id) ?? []) result.set(rid, doc);
    return result;
  }
}
