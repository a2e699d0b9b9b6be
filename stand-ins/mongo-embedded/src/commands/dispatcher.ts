import { Binary, Long } from 'bson';
import { decode } from '../bson/decode.ts';
import { encode } from '../bson/encode.ts';
import type { Encodable } from '../bson/encode.ts';
import { toDouble } from '../bson/numbers.ts';
import { isDoc, isNumber } from '../bson/values.ts';
import type { Doc, Value } from '../bson/values.ts';
import { CommandError, MalformedMessage, codeName, outsideProfile } from '../errors.ts';
import { present } from '../present.ts';
import { ChangeWait } from '../query/change-stream.ts';
import { GENERIC_OPTIONS, profileRow } from '../profile.ts';
import { nextClusterTime } from '../storage/cluster-time.ts';
import { noSuchTransaction } from '../storage/sessions.ts';
import type { Session } from '../storage/sessions.ts';
import { StorageFailure } from '../storage/store.ts';
import { LockWait } from '../storage/transactions.ts';
import type { Engine, Reply, Request } from './command.ts';
import { sessionId } from './diagnostics.ts';
import { COMMANDS, canonicalName } from './table.ts';
import type { Command } from './table.ts';

/** The fields of a reply, in order. */
type Fields = Iterable<[string, Encodable]>;

/**
 * Runs one command and encodes its reply. Its writes are part of the open storage transaction, so the reply may only be
 * sent after that is committed.
 * @returns the reply's bytes, including for errors
 * @throws LockWait if the command must wait for a transaction and then run again; it has had no effect yet
 * @throws ChangeWait if the command must wait for a change and then run again
 * @throws StorageFailure if the storage failed
 * @throws MalformedMessage if it contains a document that isn't BSON
 */
export function dispatch(engine: Engine, body: Doc, sequences: Map<string, Buffer[]>, waited = false): Buffer {
  try {
    const [sentName = ''] = body.keys();
    const db = body.get('$db');
    engine.store.isCommented = body.has('comment');
    const request: Request = { name: sentName, db: typeof db === 'string' ? db : '', args: body, sequences, waited };
    return finish(execute(engine, request));
  } catch (error) {
    if (
      error instanceof LockWait ||
      error instanceof ChangeWait ||
      error instanceof MalformedMessage ||
      error instanceof StorageFailure
    )
      throw error;
    return errorReply(error);
  }
}

/** The reply to a failed command; an unexpected error becomes an internal error with its message. */
export function errorReply(error: unknown): Buffer {
  const known = error instanceof CommandError ? error : internalError(error);
  return finish(
    Object.entries({
      ok: 0,
      errmsg: known.message,
      code: known.code,
      codeName: codeName(known.code),
      ...(known.details as Reply),
      ...(known.labels.length > 0 ? { errorLabels: known.labels } : {}),
    }),
  );
}

const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;

function internalError(error: unknown): CommandError {
  const message = error instanceof Error ? error.message : String(error);
  // The low byte is the primary result code, without the extended part.
  const code = ((error as { errcode?: number }).errcode ?? 0) % 256;
  if (code === SQLITE_FULL || code === SQLITE_IOERR)
    return new CommandError(14031, `the embedded database could not write: ${message}`);
  if (code !== SQLITE_CORRUPT) return new CommandError(1, message);
  return new CommandError(
    1,
    `the data file of the embedded database is damaged (${message}); stop it and restore the file from a backup`,
  );
}

/** Adds the cluster time to a reply. */
function finish(fields: Fields): Buffer {
  const time = nextClusterTime();
  return encode(
    new Map<string, Encodable>([
      ...fields,
      ['operationTime', time],
      ['$clusterTime', { clusterTime: time, signature: { hash: new Binary(Buffer.alloc(20)), keyId: Long.ZERO } }],
    ]),
  );
}

function execute(engine: Engine, request: Request): Fields {
  const name = canonicalName(request.name);
  const row = profileRow('command', name);
  if (!row)
    throw new CommandError(
      59,
      `no such command: '${request.name}' (the embedded database has only the commands of its profile; use a real MongoDB for others)`,
    );
  for (const [option, value] of request.args) {
    const accepted = option === request.name || GENERIC_OPTIONS.has(option) || row.options.includes(option);
    if (!accepted && value !== null) throw outsideProfile(`The option ${option} of ${name}`);
  }
  const number = request.args.get('txnNumber');
  const lsid = request.args.get('lsid');
  checkReadConcern(request, name);
  if (lsid !== undefined) request.session = engine.sessions.get(sessionId(lsid));
  if (number === undefined) {
    if (name === 'commitTransaction' || name === 'abortTransaction') throw noSuchTransaction(-1);
    return runPlain(engine, request, present(COMMANDS[name]));
  }
  if (!request.session) throw new CommandError(72, 'Transaction number requires a session ID to also be specified');
  if (request.args.get('autocommit') === false)
    return inTransaction(engine, request, request.session, name, txnNumber(number));
  return retryable(engine, request, request.session, COMMANDS[name], txnNumber(number));
}

/**
 * Outside transactions only `find` supports snapshots; the driver also sends the read concern with the cursor's
 * commands.
 */
const SNAPSHOT_COMMANDS: ReadonlySet<string> = new Set(['find', 'getMore', 'killCursors']);

function checkReadConcern({ args }: Request, name: string): void {
  const concern = args.get('readConcern');
  if (
    !SNAPSHOT_COMMANDS.has(name) &&
    isDoc(concern) &&
    concern.get('level') === 'snapshot' &&
    args.get('autocommit') !== false
  ) {
    throw outsideProfile(`Read concern snapshot of ${name} outside a transaction`);
  }
}

function txnNumber(value: Value): number {
  const number = isNumber(value) ? toDouble(value) : Number.NaN;
  if (!Number.isSafeInteger(number) || number < 0) throw new CommandError(72, 'txnNumber must be a positive long');
  return number;
}

/** Runs work that may write, atomically in storage and memory. */
function atomically<T>(engine: Engine, work: () => T): T {
  const { store, transactions, catalogue, writer } = engine;
  writer.mark();
  engine.changes.beginCommand();
  const mark = transactions.versions.mark();
  try {
    return store.atomically(work);
  } catch (error) {
    if (!(error instanceof StorageFailure)) {
      transactions.versions.rollback(mark);
      writer.rollback();
      if (catalogue.dirty) catalogue.reload();
    }
    throw error;
  }
}

function runPlain(engine: Engine, request: Request, command: Command): Fields {
  return Object.entries(
    command.writes ? atomically(engine, () => command.run(engine, request)) : command.run(engine, request),
  );
}

/**
 * Runs a retryable write: the reply is stored with the write, and a repeated request gets it instead of writing twice.
 */
function retryable(
  engine: Engine,
  request: Request,
  session: Session,
  command: Command | undefined,
  number: number,
): Fields {
  if (!command?.writes)
    throw new CommandError(
      72,
      `txnNumber may only be provided for multi-document transactions and retryable write commands, not ${request.name}`,
    );
  const { sessions } = engine;
  const remembered = sessions.replyOf(session, number);
  if (remembered) return decode(remembered.reply);
  if (number > session.number) {
    sessions.abort(session);
    session.number = number;
    session.state = 'none';
  }
  return atomically(engine, () => {
    const reply = command.run(engine, request);
    sessions.remember(session, number, encode(reply), false);
    return Object.entries(reply);
  });
}

function inTransaction(engine: Engine, request: Request, session: Session, name: string, number: number): Fields {
  const { sessions, cursors } = engine;
  if (name === 'commitTransaction') return commit(engine, session, number);
  if (name === 'abortTransaction') {
    const transaction = sessions.current(session, number);
    sessions.abort(session);
    cursors.killWhere((cursor) => cursor.transaction === transaction);
    return Object.entries({ ok: 1 });
  }
  const command = present(COMMANDS[name]);
  if (!command.transactional) {
    sessions.abort(session);
    if (command.writes) throw outsideProfile(`${name} in a transaction`);
    throw new CommandError(263, `Cannot run '${name}' in a multi-document transaction.`);
  }
  const transaction =
    request.args.get('startTransaction') === true ? sessions.start(session, number) : sessions.current(session, number);
  try {
    const reply = runPlain(engine, { ...request, transaction }, command);
    // MongoDB aborts a transaction at its first error, including errors of single statements.
    if ([...reply].some(([field]) => field === 'writeErrors')) sessions.abort(session);
    return reply;
  } catch (error) {
    sessions.abort(session);
    throw error;
  }
}

/** Commits a transaction. A repeated commit gets the same reply as the first, even after a restart. */
function commit(engine: Engine, session: Session, number: number): Fields {
  const { sessions, transactions, writer, cursors } = engine;
  if (session.number === number && session.state === 'committed') return Object.entries({ ok: 1 });
  if (sessions.replyOf(session, number)?.committed) return Object.entries({ ok: 1 });
  const transaction = sessions.current(session, number);
  try {
    if (transaction.writes.size > 0) {
      atomically(engine, () => {
        engine.changes.beginCommand({ session, number });
        writer.commit(transaction);
        sessions.remember(session, number, encode({ ok: 1 }), true);
      });
    }
  } catch (error) {
    sessions.abort(session);
    throw error;
  }
  session.state = 'committed';
  delete session.transaction;
  transactions.end(transaction);
  cursors.killWhere((cursor) => cursor.transaction === transaction);
  return Object.entries({ ok: 1 });
}
