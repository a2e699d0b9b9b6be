import { parentPort, workerData } from 'node:worker_threads';
import { releasesHeader } from '@clinic/service-kit/deployments/gateway-report';
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import { LRUCache } from 'lru-cache';
import type { Servers, ToLocate } from './source-places.ts';

// Runs in its own thread: reading a map of a megabyte takes longer than a hundred requests.

const { servers } = workerData as { readonly servers: Servers };

/** Largest map that is read, in bytes, and most maps in memory. */
const mostBytes = 20_000_000;
/** Milliseconds that a server may take to send one. */
const withinMs = 4000;
const maps = new LRUCache<string, TraceMap>({ max: 8 });

/** A place in a built script as pages report it, e.g. `mf/mf-clinic/97.4eed27ae901be36310b1.js:1:2345`. */
const reported = /^(?:mf\/)?(shell|mf-[a-z0-9-]+)\/([\w~-][\w.~-]*\.js):(\d+):(\d+)$/;

/** Maps being read: one for all errors of a page that breaks for many. */
const reading = new Map<string, Promise<TraceMap | undefined>>();

async function mapOf(app: string, script: string): Promise<TraceMap | undefined> {
  const key = `${app}/${script}`;
  const known = maps.get(key) ?? reading.get(key);
  if (known) return known;
  const read = readMap(app, script).finally(() => reading.delete(key));
  reading.set(key, read);
  const map = await read;
  if (map) maps.set(key, map);
  return map;
}

async function readMap(app: string, script: string): Promise<TraceMap | undefined> {
  for (const url of servers[app] ?? []) {
    const answer = await fetch(`${url}/maps/${script}.map`, {
      headers: { [releasesHeader]: 'read' },
      signal: AbortSignal.timeout(withinMs),
    });
    if (answer.status !== 200) {
      await answer.body?.cancel();
      continue;
    }
    const text = await answer.text();
    return text.length > mostBytes ? undefined : new TraceMap(text);
  }
  return undefined;
}

/** @returns the place in the sources, or as it was reported if that is unknown */
async function locate(place: string): Promise<string> {
  const [, app = '', script = '', line, column] = reported.exec(place) ?? [];
  if (app === '') return place;
  const map = await mapOf(app, script);
  // Browsers count columns from 1, source maps from 0.
  const origin = map && originalPositionFor(map, { line: Number(line), column: Math.max(0, Number(column) - 1) });
  return origin?.source ? `${origin.source}:${origin.line}:${origin.column + 1}` : place;
}

parentPort?.on('message', ({ at, answerTo }: ToLocate) => {
  Promise.all(at.map(locate)).then(
    (places) => answerTo.postMessage(places),
    (error: unknown) => {
      parentPort?.postMessage(String(error));
      answerTo.postMessage(at);
    },
  );
});
