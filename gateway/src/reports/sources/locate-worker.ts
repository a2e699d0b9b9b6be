import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { findMap } from '@clinic/static-server/release-maps';
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import { LRUCache } from 'lru-cache';
import type { Located, ToLocate } from './source-places.ts';

// Runs in its own thread: reading a map of a megabyte takes longer than a hundred requests.

const { releases } = workerData as { readonly releases: string };

/** Largest map that is read, in bytes, and most maps in memory. */
const mostBytes = 20_000_000;
const maps = new LRUCache<string, TraceMap>({ max: 8 });

/** A place in a built script as pages report it, e.g. `mf/mf-clinic/97.4eed27ae901be36310b1.js:1:2345`. */
const reported = /^(?:mf\/)?(shell|mf-[a-z0-9-]+)\/([\w~-][\w.~-]*\.js):(\d+):(\d+)$/;

async function mapOf(app: string, script: string): Promise<TraceMap | undefined> {
  const key = `${app}/${script}`;
  const known = maps.get(key);
  if (known) return known;
  const file = await findMap(path.join(releases, app), script);
  if (file === undefined || (await stat(file)).size > mostBytes) return undefined;
  const map = new TraceMap(await readFile(file, 'utf8'));
  maps.set(key, map);
  return map;
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

parentPort?.on('message', ({ id, at }: ToLocate) => {
  Promise.all(at.map(locate)).then(
    (places) => parentPort?.postMessage({ id, places } satisfies Located),
    (error: unknown) => parentPort?.postMessage({ id, error: String(error) } satisfies Located),
  );
});
