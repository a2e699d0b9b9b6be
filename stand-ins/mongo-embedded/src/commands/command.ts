import type { Encodable } from '../bson/encode.ts';
import { toDouble } from '../bson/numbers.ts';
import { isDoc, isNumber, typeName } from '../bson/values.ts';
import type { Doc, Value } from '../bson/values.ts';
import { CommandError } from '../errors.ts';
import type { Cursors } from '../query/cursors.ts';
import type { Catalogue, Collection } from '../storage/catalogue.ts';
import type { Changes } from '../storage/changes.ts';
import type { Session, Sessions } from '../storage/sessions.ts';
import type { Snapshots } from '../storage/snapshots.ts';
import type { Store } from '../storage/store.ts';
import type { Transaction, Transactions } from '../storage/transactions.ts';
import type { Writer } from '../storage/writer.ts';

/** The state that commands work on. */
export interface Engine {
  store: Store;
  catalogue: Catalogue;
  transactions: Transactions;
  changes: Changes;
  writer: Writer;
  sessions: Sessions;
  snapshots: Snapshots;
  cursors: Cursors;
  /** `host:port` as clients dial it, and the replica set's name. */
  address: string;
  replicaSet: string;
}

/** A client's command. */
export interface Request {
  name: string;
  db: string;
  args: Doc;
  /** Document sequences in their raw bytes, by argument name. */
  sequences: Map<string, Buffer[]>;
  session?: Session;
  transaction?: Transaction;
  /** For a `getMore` that has waited long enough: it responds even if there is nothing new. */
  waited?: boolean;
}

export type Reply = { [name: string]: Encodable };

/** Runs one command. */
export type Handler = (engine: Engine, request: Request) => Reply;

function wrongType(command: string, name: string, value: Value | undefined, expected: string): CommandError {
  return new CommandError(
    14,
    `BSON field '${command}.${name}' is the wrong type '${typeName(value)}', expected type '${expected}'`,
  );
}

/** A required string argument. */
export function stringArg({ name: command, args }: Request, name: string): string {
  const value = args.get(name);
  if (typeof value !== 'string') throw wrongType(command, name, value, 'string');
  return value;
}

/** An optional document argument, empty when absent. */
export function docArg({ name: command, args }: Request, name: string): Doc {
  const value = args.get(name);
  if (value === undefined || value === null) return new Map();
  if (!isDoc(value)) throw wrongType(command, name, value, 'object');
  return value;
}

/** An optional non-negative integer argument. */
export function countArg({ name: command, args }: Request, name: string): number | undefined {
  const value = args.get(name);
  if (value === undefined || value === null) return undefined;
  if (!isNumber(value)) throw wrongType(command, name, value, 'long');
  const number = Math.trunc(toDouble(value));
  if (!(number >= 0))
    throw new CommandError(51024, `BSON field '${name}' value must be >= 0, actual value '${number}'`);
  return number;
}

/** The name of a command's collection, which is its first argument. */
export function collectionName(request: Request): string {
  const name = stringArg(request, request.name);
  checkName(request.db, name);
  return name;
}

/** @throws CommandError 73 for names that MongoDB doesn't allow */
export function checkName(db: string, name: string): void {
  if (db === '' || db.length > 63 || /[\0/\\. "$*<>:|?]/.test(db))
    throw new CommandError(73, `Invalid database name: '${db}'`);
  if (name === '' || name.startsWith('.') || name.endsWith('.') || /[\0$]/.test(name) || name.startsWith('system.')) {
    throw new CommandError(73, `Invalid namespace specified '${db}.${name}'`);
  }
}

/** The documents of a write command, from the body or from a document sequence. */
export function statements(request: Request, name: string): (Doc | Buffer)[] {
  const sequence = request.sequences.get(name);
  if (sequence) return sequence;
  const list = request.args.get(name);
  if (!Array.isArray(list))
    throw new CommandError(40414, `BSON field '${request.name}.${name}' is missing but a required field`);
  return list.map((item) => {
    if (!isDoc(item)) throw wrongType(request.name, name, item, 'object');
    return item;
  });
}

/** Documents that a transaction sees differently from storage; undefined outside transactions. */
export function overlayOf(
  { transactions }: Engine,
  { transaction }: Request,
  collection: Collection,
): Map<number, Buffer | null> | undefined {
  return transaction && transactions.overlay(transaction, collection);
}
