import type { RequestHandler } from 'express';
import { feedMessage, heartbeatEvery, unavailable } from '@clinic/service-kit';
import type { RightsWatch } from './rights-watch.ts';

/** Bytes that may be buffered for a slow client before it is disconnected; it reconnects and gets the replay. */
const mostWaiting = 256 * 1_024;

/**
 * Streams updates to rights to other services as server-sent events: first the updates of the last token lifetime, then
 * `ready`, then each update, and a heartbeat every second. The heartbeat means 'nothing else has changed', so it stops when
 * the database can't be read.
 */
export function sessionFeed(watch: RightsWatch, stopping: AbortSignal): RequestHandler {
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
    const beat = setInterval(() => {
      if (isFresh(watch)) send(feedMessage('beat'));
    }, heartbeatEvery);
    const end = (): void => {
      response.end();
    };
    stopping.addEventListener('abort', end, { once: true });
    response.once('close', () => {
      clearInterval(beat);
      forget();
      stopping.removeEventListener('abort', end);
    });
  };
}

/** Whether the last successful poll was recent. */
function isFresh(watch: RightsWatch): boolean {
  const silence = watch.versions.silence();
  return silence !== undefined && silence * 1_000 < heartbeatEvery;
}
