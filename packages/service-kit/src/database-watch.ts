import type { MongoClient } from 'mongodb';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';
import { requestScope } from './request-scope.ts';

/** What the driver's connection pool does at the moment. */
export interface PoolState {
  open: number;
  checkedOut: number;
  waiting: number;
  most: number;
}

/**
 * Follows the driver's connections (CMAP events): the pool's figures, the time that each request spends in the database,
 * and a log line for a command that takes long. A connection is taken for one command and given back after its answer, so
 * its time away is the command's. (The driver's command events would tell more, at the price of reading every answer twice;
 * tracing uses them.)
 *
 * @param slowAfter - milliseconds after which a command is worth a line; 0: never
 */
export function watchDatabase(client: MongoClient, metrics: Metrics, log: Logger, slowAfter: number): void {
  const pool: PoolState = { open: 0, checkedOut: 0, waiting: 0, most: 0 };
  const takenAt = new Map<string, number>();
  client.on('connectionPoolCreated', ({ options }) => (pool.most += options.maxPoolSize ?? 0));
  client.on('connectionPoolCleared', () => metrics.poolCleared());
  client.on('connectionCreated', () => (pool.open += 1));
  client.on('connectionClosed', () => (pool.open -= 1));
  client.on('connectionCheckOutStarted', () => (pool.waiting += 1));
  client.on('connectionCheckOutFailed', ({ reason }) => {
    pool.waiting -= 1;
    metrics.checkOutFailed(reason);
  });
  client.on('connectionCheckedOut', ({ address, connectionId, durationMS }) => {
    pool.waiting -= 1;
    pool.checkedOut += 1;
    metrics.checkedOut(durationMS / 1_000);
    takenAt.set(`${address} ${connectionId}`, performance.now());
  });
  client.on('connectionCheckedIn', ({ address, connectionId }) => {
    pool.checkedOut -= 1;
    const key = `${address} ${connectionId}`;
    const taken = takenAt.get(key);
    takenAt.delete(key);
    if (taken === undefined) return;
    const ms = performance.now() - taken;
    const notes = requestScope.getStore();
    metrics.commandDone(notes?.call ?? 'none', ms / 1_000);
    if (notes) {
      notes.commands += 1;
      notes.databaseMs += ms;
    }
    if (slowAfter === 0 || ms < slowAfter) return;
    // Names of operations and collections only: what is asked for may be about a person.
    log.warn({ requestId: notes?.requestId, call: notes?.call, ms: Math.round(ms), operations: notes?.operations }, 'slow database command');
  });
  metrics.showPool(pool);
}
