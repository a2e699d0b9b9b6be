import type { MongoClient } from 'mongodb';
import { waitForDatabase } from './database.ts';
import type { Logger } from './log.ts';

/**
 * Milliseconds that one look of the driver at a server may take: ten seconds that the server may keep it waiting, three
 * for the network, and some.
 */
const lookLimit = 15_000;

/** A process that was paused finds its timers over before it reads what came meanwhile: so long, in milliseconds, it has for that. */
const catchUp = 2_000;

/**
 * Connects anew when the driver no longer looks at a server. Where a database is killed, its connections end one after the
 * other; the end of the first makes the driver look, and when that writes to the monitor's own connection just before
 * its end is told, the driver (7.8) waits for ever: the server stays unknown to it, and each request gets 503, until the
 * process is started again. Ten minutes of kills met this once.
 *
 * @param stop - ends the watch
 */
export function watchHeartbeats(client: MongoClient, log: Logger, stop: AbortSignal, { lookLimitMs = lookLimit, catchUpMs = catchUp } = {}): void {
  const looks = new Map<string, NodeJS.Timeout>();
  let reviving = false;

  const ended = ({ connectionId }: { readonly connectionId: string }): void => {
    clearTimeout(looks.get(connectionId));
    looks.delete(connectionId);
  };
  const forgetAll = (): void => {
    for (const timer of looks.values()) clearTimeout(timer);
    looks.clear();
  };

  async function revive(server: string): Promise<void> {
    if (reviving || stop.aborted) return;
    reviving = true;
    try {
      log.error({ server }, 'the driver stopped looking at the database, connecting anew');
      await client.close();
      await waitForDatabase(client, log, stop);
      log.info({ server }, 'connected anew');
    } catch (error) {
      if (!stop.aborted) log.error({ err: error }, 'connecting anew failed');
    } finally {
      reviving = false;
    }
  }

  client.on('serverHeartbeatStarted', (look) => {
    ended(look);
    const late = (): void => void looks.set(look.connectionId, setTimeout(() => void revive(look.connectionId), catchUpMs).unref());
    looks.set(look.connectionId, setTimeout(late, lookLimitMs).unref());
  });
  client.on('serverHeartbeatSucceeded', ended);
  client.on('serverHeartbeatFailed', ended);
  client.on('serverClosed', ({ address }) => ended({ connectionId: address }));
  client.on('topologyClosed', forgetAll);
  stop.addEventListener('abort', forgetAll);
}
