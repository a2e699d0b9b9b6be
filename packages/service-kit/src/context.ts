import type { ClientSession, Db, MongoClient } from 'mongodb';
import type { Logger } from './log.ts';
import type { BaseSettings } from './settings.ts';

/** What a service's code works with. */
export interface ServiceContext<Settings = unknown> {
  readonly db: Db;
  readonly client: MongoClient;
  readonly settings: BaseSettings & Settings;
  readonly log: Logger;
  /** Aborted when the service begins to stop: ends loops, timers and open streams. */
  readonly stopping: AbortSignal;
  /**
   * Runs `work` in a transaction and repeats it when another one got in its way, for up to ten seconds. Everything read
   * or written in it must be given the session; `work` may run more than once.
   *
   * @throws ProblemError unavailable when it can't be brought to an end in time
   */
  inTransaction<T>(work: (session: ClientSession) => Promise<T>): Promise<T>;
}
