import { setTimeout as delay } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import { z } from 'zod';
import type { IdentityAccess } from './ask-identity.ts';
import { internalHeaders, internalSecret } from './internal-calls.ts';
import type { ServiceContext } from '../context.ts';
import { reasonOf } from '../observability/logged-error.ts';
import type { VersionTracker } from './version-tracker.ts';

/** Where svc-identity streams updates to rights to other services; the gateway never routes it. */
export const feedPath = '/internal/session-feed';

/** Milliseconds between two heartbeats of the feed, at least. */
export const heartbeatEvery = 1_000;

/** Milliseconds of silence after which to reconnect. */
const silenceLimit = 3_000;

/** One update: `sub` with `ver`, or the `sid` of a session that ended. */
const feedUpdate = z.union([z.object({ sub: z.string(), ver: z.number() }), z.object({ sid: z.string() })]);
export type FeedUpdate = z.output<typeof feedUpdate>;

/** One feed message in its wire format. */
export function feedMessage(
  event: 'change' | 'accounts' | 'ready' | 'beat',
  data: FeedUpdate | Record<string, never> = {},
): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/**
 * Follows the session feed until the service stops. If one replica's feed is lost, the next one's is followed.
 *
 * @param onChange - called when someone's rights or account changed, and when the feed is (back) up and may have missed changes
 */
export async function followSessionFeed(
  { settings, log, stopping: stop }: IdentityAccess & Pick<ServiceContext, 'log'>,
  tracker: VersionTracker,
  onChange: () => void = () => undefined,
): Promise<void> {
  let failures = 0;
  for (let attempt = 0; !stop.aborted; attempt += 1) {
    const identityUrl = settings.IDENTITY_URL[attempt % settings.IDENTITY_URL.length] ?? '';
    try {
      await readFeed(`${identityUrl}${feedPath}`, internalSecret(settings), tracker, stop, onChange, () => {
        onChange();
        if (failures > 0) log.info({ failures }, 'session feed is available again');
        failures = 0;
      });
    } catch (error) {
      if (stop.aborted) return;
      failures += 1;
      if (failures === 1 || failures % 30 === 0)
        log.warn({ reason: reasonOf(error), failures }, 'session feed lost, will retry');
    }
    try {
      await delay(Math.min(1_000, 100 * 2 ** Math.min(failures, 4)), undefined, { signal: stop });
    } catch {
      // Only shutdown interrupts the wait.
      return;
    }
  }
}

async function readFeed(
  url: string,
  secret: string,
  tracker: VersionTracker,
  stop: AbortSignal,
  onChange: () => void,
  onReady: () => void,
): Promise<void> {
  const silence = new AbortController();
  const watchdog = setTimeout(() => silence.abort(new Error(`no message for ${silenceLimit} ms`)), silenceLimit);
  try {
    const response = await fetch(url, {
      headers: { accept: 'text/event-stream', ...internalHeaders(secret) },
      signal: AbortSignal.any([stop, silence.signal]),
      redirect: 'error',
    });
    if (!response.ok || !response.body) throw new Error(`${url} responded with ${response.status}`);
    // Nothing counts as up to date until the replay of the last minutes is complete.
    let ready = false;
    const parser = createParser({
      onEvent({ event, data }) {
        if (event === 'change') {
          take(feedUpdate.parse(JSON.parse(data)), tracker);
          if (ready) onChange();
        }
        if (event === 'accounts' && ready) onChange();
        if (event === 'ready') {
          ready = true;
          onReady();
        }
        if (ready) tracker.markCurrent();
      },
    });
    const decoder = new TextDecoder();
    for await (const chunk of response.body) {
      watchdog.refresh();
      parser.feed(decoder.decode(chunk, { stream: true }));
    }
    throw new Error('the feed was closed');
  } finally {
    clearTimeout(watchdog);
  }
}

function take(change: FeedUpdate, tracker: VersionTracker): void {
  if ('sid' in change) tracker.end(change.sid);
  else tracker.raise(change.sub, change.ver);
}
