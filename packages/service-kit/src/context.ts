import type { ClientSession, Db, MongoClient } from 'mongodb';
import type { Logger } from './observability/log.ts';
import type { BaseSettings } from './settings/settings.ts';

/** What a service's code works with. */
export interface ServiceContext<Settings = unknown> {
  readonly db: Db;
  readonly client: MongoClient;
  readonly settings: BaseSettings & Settings;
  readonly log: Logger;
  /** Aborted when the service starts to shut down: ends loops, timers and open streams. */
  readonly stopping: AbortSignal;
  /**
   * Runs `work` in a transaction and retries it on write conflicts for up to ten seconds. Pass the session to every
   * read and write; `work` may run more than once.
   *
   * @throws ProblemError unavailable if it can't commit in time
   */
  inTransaction<T>(work: (session: ClientSession) => Promise<T>): Promise<T>;
}
