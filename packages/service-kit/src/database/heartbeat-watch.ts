import type { MongoClient } from 'mongodb';
import { waitForDatabase } from './database.ts';
import type { Logger } from '../observability/log.ts';

/**
 * Time limit of one driver heartbeat, milliseconds: the server may hold it for two seconds, the network gets three,
 * plus a margin (see `createClient`).
 */
const heartbeatLimit = 7_000;

/** After a pause of the process, timers fire before pending data is read: milliseconds to catch up before acting. */
const catchUp = 2_000;

/**
 * Reconnects if the driver has stopped monitoring a server. When a database is killed, its connections close one after
 * the other; the first close triggers a heartbeat, and if it is written to the monitor's own connection just before
 * its close is reported, the driver (7.8) waits for ever: the server stays unknown, and every request gets 503 until
 * the process is restarted. Seen once in ten minutes of killing databases.
 *
 * @param stop - ends the watch
 */
export function watchHeartbeats(
  client: MongoClient,
  log: Logger,
  stop: AbortSignal,
  { heartbeatLimitMs = heartbeatLimit, catchUpMs = catchUp } = {},
): void {
  const timers = new Map<string, NodeJS.Timeout>();
  let reviving = false;

  const ended = ({ connectionId }: { readonly connectionId: string }): void => {
    clearTimeout(timers.get(connectionId));
    timers.delete(connectionId);
  };
  const forgetAll = (): void => {
    for (const timer of timers.values()) clearTimeout(timer);
    timers.clear();
  };

  async function revive(server: string): Promise<void> {
    if (reviving || stop.aborted) return;
    reviving = true;
    try {
      log.error({ server }, 'the driver stopped monitoring the database, reconnecting');
      await client.close();
      await waitForDatabase(client, log, stop);
      log.info({ server }, 'reconnected');
    } catch (error) {
      if (!stop.aborted) log.error({ err: error }, 'reconnecting failed');
    } finally {
      reviving = false;
    }
  }

  client.on('serverHeartbeatStarted', (heartbeat) => {
    ended(heartbeat);
    const late = (): void =>
      void timers.set(heartbeat.connectionId, setTimeout(() => void revive(heartbeat.connectionId), catchUpMs).unref());
    timers.set(heartbeat.connectionId, setTimeout(late, heartbeatLimitMs).unref());
  });
  client.on('serverHeartbeatSucceeded', ended);
  client.on('serverHeartbeatFailed', ended);
  client.on('serverClosed', ({ address }) => ended({ connectionId: address }));
  client.on('topologyClosed', forgetAll);
  stop.addEventListener('abort', forgetAll);
}
