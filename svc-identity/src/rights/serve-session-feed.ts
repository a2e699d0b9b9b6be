import type { RequestHandler } from 'express';
import { feedMessage, heartbeatEvery, unavailable } from '@clinic/service-kit';
import type { RightsWatch } from './rights-watch.ts';

/** Bytes that may be buffered for a slow client before it is disconnected; it reconnects and gets the replay. */
const mostWaiting = 256 * 1_024;

/**
 * Streams updates to rights to other services as server-sent events: first the updates of the last token lifetime, then
 * `ready`, then each update, `accounts` when the account feed has new entries, and a heartbeat. The heartbeat means 'nothing else has changed', so it is sent whenever
 * the database confirms that, at most once a second. (A timer that checked for a recent confirmation would fall silent
 * for seconds when a busy database takes over a second to respond.)
 */
export function serveSessionFeed(watch: RightsWatch, stopping: AbortSignal): RequestHandler {
  return (_request, response) => {
    if (!watch.versions.isLive()) throw unavailable('Changes to access can’t be read right now.');
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    });
    const send = (message: string): void => {
      if (response.writableLength > mostWaiting) response.destroy();
      else response.write(message);
    };
    send(
      watch
        .recent()
        .map((update) => feedMessage('change', update))
        .join('') + feedMessage('ready'),
    );
    const forget = watch.onUpdate((update) => send(feedMessage('change', update)));
    const unfollow = watch.onAccounts(() => send(feedMessage('accounts')));
    let beatAt = performance.now();
    const rest = watch.onCurrent(() => {
      if (performance.now() - beatAt < heartbeatEvery) return;
      beatAt = performance.now();
      send(feedMessage('beat'));
    });
    const end = (): void => {
      response.end();
    };
    stopping.addEventListener('abort', end, { once: true });
    response.once('close', () => {
      rest();
      unfollow();
      forget();
      stopping.removeEventListener('abort', end);
    });
  };
}
