import { setTimeout as delay } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import { z } from 'zod';
import { internalHeaders } from './internal-calls.ts';
import type { Logger } from './log.ts';
import type { VersionTracker } from './version-tracker.ts';

/** Where svc-identity tells the other services of changed rights; the gateway never routes it. */
export const feedPath = '/internal/session-feed';

/** Milliseconds between two heartbeats of the feed. */
export const heartbeatEvery = 1_000;

/** Milliseconds of silence after which the connection is given up and made anew. */
const silenceLimit = 3_000;

/** One piece of news: `ver` with `sub`, or the `sid` of a session that ended. */
const news = z.union([z.object({ sub: z.string(), ver: z.number() }), z.object({ sid: z.string() })]);
export type FeedNews = z.output<typeof news>;

/** One message of the feed as it goes over the wire. */
export function feedMessage(event: 'change' | 'ready' | 'beat', data: FeedNews | Record<string, never> = {}): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/**
 * Follows the version feed until the signal says stop; makes lost connections anew.
 *
 * @param identityUrls - addresses of svc-identity's replicas: when a feed is lost, the next one's is followed
 * @param secret - what svc-identity knows the clinic's services by
 * @param onChange - called when someone's rights changed, and when the feed is (back) up and may have missed changes
 */
export async function followVersionFeed(identityUrls: readonly string[], secret: string, tracker: VersionTracker, log: Logger, stop: AbortSignal, onChange: () => void = () => undefined): Promise<void> {
  let failures = 0;
  for (let turn = 0; !stop.aborted; turn += 1) {
    const identityUrl = identityUrls[turn % identityUrls.length] ?? '';
    try {
      await readFeed(`${identityUrl}${feedPath}`, secret, tracker, stop, onChange, () => {
        onChange();
        if (failures > 0) log.info({ failures }, 'session feed is back');
        failures = 0;
      });
    } catch (error) {
      if (stop.aborted) return;
      failures += 1;
      if (failures === 1 || failures % 30 === 0) log.warn({ reason: reasonOf(error), failures }, 'session feed lost, trying again');
    }
    try {
      await delay(Math.min(1_000, 100 * 2 ** Math.min(failures, 4)), undefined, { signal: stop });
    } catch {
      // The only thing that can interrupt the wait is the stop.
      return;
    }
  }
}

async function readFeed(url: string, secret: string, tracker: VersionTracker, stop: AbortSignal, onChange: () => void, onReady: () => void): Promise<void> {
  const silence = new AbortController();
  const watchdog = setTimeout(() => silence.abort(new Error(`nothing heard for ${silenceLimit} ms`)), silenceLimit);
  try {
    const response = await fetch(url, { headers: { accept: 'text/event-stream', ...internalHeaders(secret) }, signal: AbortSignal.any([stop, silence.signal]), redirect: 'error' });
    if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}`);
    // Until the replay of the last minutes is complete, the feed says nothing about what is up to date.
    let ready = false;
    const parser = createParser({
      onEvent({ event, data }) {
        if (event === 'change') {
          take(news.parse(JSON.parse(data)), tracker);
          if (ready) onChange();
        }
        if (event === 'ready') {
          ready = true;
          onReady();
        }
        if (ready) tracker.heard();
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

function take(change: FeedNews, tracker: VersionTracker): void {
  if ('sid' in change) tracker.end(change.sid);
  else tracker.raise(change.sub, change.ver);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message ? `${error.message}: ${cause.message}` : error.message;
}
