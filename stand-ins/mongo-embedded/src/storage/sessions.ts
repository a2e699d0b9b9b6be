import { CommandError } from '../errors.ts';
import type { Store } from './store.ts';
import type { Transaction, Transactions } from './transactions.ts';

/** A client's logical session, identified by its lsid. */
export interface Session {
  id: Buffer;
  /** Number of the latest transaction. */
  number: number;
  state: 'none' | 'in progress' | 'committed' | 'aborted';
  transaction?: Transaction;
  usedAt: number;
}

/** The stored reply of a session's latest retryable write or commit. */
interface Remembered {
  number: number;
  committed: boolean;
  reply: Buffer;
}

/** As in MongoDB, sessions expire 30 minutes after their last use. */
export const SESSION_TIMEOUT_MINUTES = 30;
/**
 * How long the reply to a retryable write is kept, in milliseconds. Replies can contain whole documents, and so texts
 * that have since been deleted. A driver retries a write once, immediately; services give up on a silent connection
 * after 30 s.
 */
export const KEEP_ANSWERS_MS = 120_000;
/**
 * How long the transaction of a killed client blocks its documents, in milliseconds. MongoDB's default is 60 s;
 * production sets the same 15 s (`transactionLifetimeLimitSeconds`), and no transaction of the services takes 10 s.
 */
const TRANSACTION_LIFETIME_MS = 15_000;

/** Sessions, their transactions, and the stored replies that make retried writes apply once. */
export class Sessions {
  private readonly store: Store;
  private readonly transactions: Transactions;
  private readonly keepAnswersMs: number;
  private readonly sessions = new Map<string, Session>();

  constructor(store: Store, transactions: Transactions, keepAnswersMs = KEEP_ANSWERS_MS) {
    this.store = store;
    this.transactions = transactions;
    this.keepAnswersMs = keepAnswersMs;
  }

  /** The session with this id, created if it is unknown. */
  get(id: Buffer): Session {
    const name = id.toString('latin1');
    let session = this.sessions.get(name);
    if (!session) this.sessions.set(name, (session = { id, number: -1, state: 'none', usedAt: 0 }));
    session.usedAt = Date.now();
    return session;
  }

  /**
   * The stored reply of a retryable write, if this is a retry.
   * @throws CommandError 225 if the session has moved on
   */
  replyOf(session: Session, number: number): Remembered | undefined {
    const row = this.store.all('SELECT number, committed, reply FROM sessions WHERE lsid = ?', session.id)[0];
    const remembered = row && {
      number: Number(row[0]),
      committed: row[1] === 1,
      reply: Buffer.from(row[2] as Uint8Array),
    };
    if (number < Math.max(session.number, remembered?.number ?? -1)) {
      throw new CommandError(
        225,
        `Retryable write with txnNumber ${number} is prohibited on session because a newer one has already started.`,
      );
    }
    return remembered?.number === number ? remembered : undefined;
  }

  /** Stores a reply in the same storage transaction as the write itself. */
  remember(session: Session, number: number, reply: Buffer, committed: boolean): void {
    this.store.run(
      'INSERT OR REPLACE INTO sessions (lsid, number, committed, reply, used) VALUES (?, ?, ?, ?, ?)',
      session.id,
      number,
      committed ? 1 : 0,
      reply,
      Date.now(),
    );
  }

  /** Starts the session's next transaction and aborts one that is still open. */
  start(session: Session, number: number): Transaction {
    const remembered = this.replyOf(session, number);
    if ((number === session.number && session.state !== 'none') || remembered) {
      throw new CommandError(117, `Transaction ${number} has already been started on this session`);
    }
    this.abort(session);
    session.number = number;
    session.state = 'in progress';
    session.transaction = this.transactions.start();
    return session.transaction;
  }

  /**
   * The open transaction that a command belongs to.
   * @throws CommandError 251 if there is none with this number, 256 if it is committed
   */
  current(session: Session, number: number): Transaction {
    if (session.number === number && session.state === 'committed') {
      throw new CommandError(256, `Transaction ${number} has been committed.`);
    }
    if (session.number !== number || !session.transaction) throw noSuchTransaction(number);
    return session.transaction;
  }

  /** Aborts the session's transaction. */
  abort(session: Session): void {
    const { transaction } = session;
    if (!transaction) return;
    delete session.transaction;
    session.state = 'aborted';
    this.transactions.end(transaction);
  }

  abortAll(): void {
    for (const session of this.sessions.values()) this.abort(session);
  }

  /** Drops every session, after the storage has lost their latest writes. */
  reset(): void {
    this.abortAll();
    this.sessions.clear();
  }

  /** Drops sessions that a client has ended. */
  end(ids: Buffer[]): void {
    for (const id of ids) {
      const name = id.toString('latin1');
      const session = this.sessions.get(name);
      if (session) this.abort(session);
      this.sessions.delete(name);
    }
  }

  /** Aborts transactions that have run too long and drops expired sessions. */
  reap(now = Date.now()): void {
    const expired = now - SESSION_TIMEOUT_MINUTES * 60_000;
    for (const [name, session] of this.sessions) {
      if (session.transaction && session.transaction.startedAt < now - TRANSACTION_LIFETIME_MS) this.abort(session);
      if (session.usedAt < expired) this.sessions.delete(name);
    }
    // A commit's reply contains no documents.
    const old = 'FROM sessions WHERE used < ? OR (committed = 0 AND used < ?)';
    const limits = [expired, now - this.keepAnswersMs];
    if (this.store.all(`SELECT 1 ${old} LIMIT 1`, ...limits).length > 0)
      this.store.atomically(() => this.store.run(`DELETE ${old}`, ...limits));
    this.store.commit();
  }
}

/**
 * The error for a command of a transaction that isn't open (any more); the driver then repeats the whole transaction.
 */
export function noSuchTransaction(number: number): CommandError {
  return new CommandError(
    251,
    `Given transaction number ${number} does not match any in-progress transactions. It may have been aborted.`,
    {
      labels: ['TransientTransactionError'],
    },
  );
}
