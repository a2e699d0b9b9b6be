import type { Doc } from '../bson/values.ts';
import { dispatch, errorReply } from '../commands/dispatcher.ts';
import type { Engine } from '../commands/command.ts';
import { CommandError, MalformedMessage } from '../errors.ts';
import { ChangeWait } from '../query/change-stream.ts';
import { LockWait } from '../storage/transactions.ts';
import type { Transaction } from '../storage/transactions.ts';

/** A queued command. */
export interface Job {
  body: Doc;
  sequences: Map<string, Buffer[]>;
  rejection?: CommandError;
  /** Deadline, in milliseconds since 1970; Infinity without maxTimeMS. */
  deadline: number;
  /** When a `getMore` of a change stream responds even without a change, in milliseconds since 1970. */
  awaitUntil: number;
  isNeeded(): boolean;
  answer(bytes: Buffer): void;
  /** The message is malformed, so its connection must be closed. */
  reject(error: MalformedMessage): void;
}

/**
 * Group commit: the commands that arrive within one turn of the event loop share one storage transaction, and so one
 * wait for the disk. No reply is sent before its write is durable.
 */
export class Batch {
  private jobs: Job[] = [];
  private scheduled = false;
  private closed = false;
  private readonly engine: Engine;
  /** Called after a failed storage transaction, when in-memory state must be brought back in line with the disk. */
  private readonly onFailure: (error: unknown) => void;

  constructor(engine: Engine, onFailure: (error: unknown) => void) {
    this.engine = engine;
    this.onFailure = onFailure;
  }

  add(job: Job): void {
    this.jobs.push(job);
    if (this.scheduled || this.closed) return;
    this.scheduled = true;
    setImmediate(() => this.run());
  }

  /** Runs the queued commands now. */
  run(): void {
    this.scheduled = false;
    if (this.closed) return;
    const jobs = this.jobs.splice(0).filter((job) => job.isNeeded());
    const answers: { job: Job; bytes: Buffer }[] = [];
    const deferred = new Set<Job>();
    try {
      for (const job of jobs) {
        const bytes = this.runOne(job);
        if (bytes) answers.push({ job, bytes });
        else deferred.add(job);
      }
      this.engine.store.commit();
      this.engine.catalogue.dirty = false;
    } catch (error) {
      this.onFailure(error);
      const bytes = errorReply(new CommandError(14031, `the embedded database could not write: ${rootMessage(error)}`));
      for (const job of jobs) if (!deferred.has(job)) job.answer(bytes);
      return;
    }
    for (const { job, bytes } of answers) job.answer(bytes);
    this.engine.changes.wake();
  }

  /** Runs the engine's own maintenance between commands. */
  maintain(work: () => void): void {
    try {
      work();
      this.engine.changes.wake();
    } catch (error) {
      this.onFailure(error);
    }
  }

  /** Stops accepting and running commands. */
  close(): void {
    this.closed = true;
    this.jobs = [];
  }

  /** @returns the reply, or undefined for a command that waits for a transaction or is malformed */
  private runOne(job: Job): Buffer | undefined {
    if (job.rejection) return errorReply(job.rejection);
    if (Date.now() > job.deadline) return errorReply(new CommandError(50, 'operation exceeded time limit'));
    try {
      return dispatch(this.engine, job.body, job.sequences, Date.now() >= job.awaitUntil);
    } catch (error) {
      if (error instanceof LockWait) {
        this.wait(job, error.owner);
        return undefined;
      }
      if (error instanceof ChangeWait) {
        this.awaitChange(job, error.db);
        return undefined;
      }
      if (!(error instanceof MalformedMessage)) throw error;
      job.reject(error);
      return undefined;
    }
  }

  /** Runs a command again after the next change of a database, or when its time is up. */
  private awaitChange(job: Job, db: string): void {
    const cancel = this.engine.changes.wait(db, () => {
      clearTimeout(timer);
      this.add(job);
    });
    const timer = setTimeout(
      () => {
        cancel();
        this.add(job);
      },
      Math.max(0, job.awaitUntil - Date.now()),
    ).unref();
  }

  /** Runs a command again when the transaction ends; at its deadline it gets an error instead. */
  private wait(job: Job, { waiters }: Transaction): void {
    const resume = (): void => {
      clearTimeout(timer);
      this.add(job);
    };
    waiters.push(resume);
    const timer =
      job.deadline === Infinity
        ? undefined
        : setTimeout(
            () => {
              waiters.splice(waiters.indexOf(resume), 1);
              this.add(job);
            },
            Math.max(0, job.deadline - Date.now()) + 1,
          ).unref();
  }
}

/** Message of the root cause of an error. */
export function rootMessage(error: unknown): string {
  let cause = error;
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause;
  return cause instanceof Error ? cause.message : String(cause);
}
