import type { MongoClient } from 'mongodb';
import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { requestScope, waitingForChanges } from '../http/request-scope.ts';
import type { PoolState } from './pool-state.ts';

/**
 * Measures the driver's connections by their CMAP events: pool metrics, database time per request, and a log line for
 * slow commands. A connection is checked out for one command and returned after its response, so the time in between is
 * the command's duration. (Command events would have more detail, but make the driver parse every response twice;
 * tracing uses them.)
 *
 * @param slowAfter - milliseconds after which a command is logged; 0: never
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
    if (slowAfter === 0 || ms < slowAfter || notes === waitingForChanges) return;
    // Only names of operations and collections: a query may contain personal data.
    log.warn(
      { requestId: notes?.requestId, call: notes?.call, ms: Math.round(ms), operations: notes?.operations },
      'slow database command',
    );
  });
  metrics.showPool(pool);
}
