import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { CallPlan } from '../proxy/call-plan.ts';
import type { PeerLists } from '../cluster/peers.ts';
import type { Collected, CollectedAnswer } from '../proxy/collect.ts';
import type { GatewayRequest } from '../proxy/gateway-request.ts';
import { withCommonHeaders } from '../proxy/headers.ts';
import type { Upstream } from '../proxy/upstream.ts';

/** Forwards a request by its plan, and always answers it. */
export type SendCall = (req: GatewayRequest, res: ServerResponse, plan: CallPlan) => void;

/** Milliseconds for which a cached response may be reused. */
const freshMs = 1000;

const maxEntries = 200;

/** Headers cached with a list. Whatever service-kit sends with a page must be here, or only the first visitor gets it. */
const keptHeaders = ['content-type', 'link', 'x-total-count', 'x-total-count-relation'] as const;

interface Entry {
  /** The body as a latin1 string, which Node sends in one write with the headers; two buffers would cost half as much again. */
  readonly body: string;
  readonly etag: string;
  /** Flat header arrays for the 200 and the 304. */
  readonly headers: readonly string[];
  readonly unchanged: readonly string[];
  readonly until: number;
}

/**
 * Caches public lists for a second, and makes a single upstream request for concurrent visitors. They are what visitors
 * load most, and answering them costs the service a hundred times more than it costs us.
 *
 * A change that goes through this gateway is visible at once: it clears the cache, and the cache is bypassed until the
 * change is done. Any other change is visible after a second.
 *
 * @param upstream - gets all other requests
 * @param others - peers that cache the same lists; a change is forwarded once they have dropped theirs too
 */
export function withPublicLists(upstream: Upstream, others?: PeerLists): SendCall {
  const entries = new Map<string, Entry>();
  const pendingLists = new Map<string, Promise<Entry | 'slow' | undefined>>();
  let changes = 0;
  let generation = 0;

  /** @returns a function to call when the change is done */
  function drop(): () => void {
    changes += 1;
    generation += 1;
    entries.clear();
    pendingLists.clear();
    return () => {
      changes -= 1;
    };
  }
  others?.onChange(drop);

  function change(req: GatewayRequest, res: ServerResponse, plan: CallPlan): void {
    res.once('close', drop());
    if (!others) return upstream.send(req, res, plan);
    const { acknowledged, over } = others.begin();
    res.once('close', over);
    void acknowledged.then(() => {
      if (!res.destroyed) upstream.send(req, res, plan);
    });
  }

  /** Requests a list for all who want it, with the connection of the first of them. */
  async function request(
    req: GatewayRequest,
    res: ServerResponse,
    plan: CallPlan,
  ): Promise<Entry | 'slow' | undefined> {
    const { url = '', headers } = req;
    const begun = generation;
    const collected = await new Promise<Collected>((resolve) => upstream.send(req, res, plan, resolve));
    req.headers = headers;
    if (collected === 'slow') return collected;
    const entry = collected && entryOf(collected);
    if (entry && generation === begun && changes === 0) {
      if (entries.size >= maxEntries) entries.clear();
      entries.set(url, entry);
    }
    return entry;
  }

  return (req, res, plan) => {
    const { method = '', url = '' } = req;
    if (method !== 'GET' && method !== 'HEAD') return change(req, res, plan);
    if (!plan.shared || changes > 0) return upstream.send(req, res, plan);
    const known = entries.get(url);
    if (known && known.until > performance.now()) return answer(req, res, known);
    let pending = pendingLists.get(url);
    if (!pending) {
      const mine = request(req, res, plan).finally(() => {
        if (pendingLists.get(url) === mine) pendingLists.delete(url);
      });
      pending = mine;
      pendingLists.set(url, mine);
    }
    pending.then(
      (entry) => {
        // A failure of the request for all has been answered to the first of them.
        if (res.headersSent || res.destroyed) return;
        if (entry === 'slow') upstream.reject(req, res, entry);
        else if (entry) answer(req, res, entry);
        // Whatever went wrong, normal forwarding knows how to answer.
        else upstream.send(req, res, plan);
      },
      () => upstream.send(req, res, plan),
    );
  };
}

/** @returns `undefined` if the response may not be cached */
function entryOf({ status, headers, body }: CollectedAnswer): Entry | undefined {
  if (status !== 200 || headers['set-cookie'] || /no-store|private/.test(headers['cache-control'] ?? ''))
    return undefined;
  const kept = keptHeaders.flatMap((name) => (typeof headers[name] === 'string' ? [name, headers[name]] : []));
  const etag = `"${createHash('sha1').update(body).update(JSON.stringify(kept)).digest('base64url')}"`;
  const unchanged = ['ETag', etag, 'Cache-Control', 'no-cache'];
  return {
    body: body.toString('latin1'),
    etag,
    headers: [...kept, ...unchanged, 'Content-Length', String(body.length)],
    unchanged,
    until: performance.now() + freshMs,
  };
}

function answer(req: GatewayRequest, res: ServerResponse, { body, etag, headers, unchanged }: Entry): void {
  if (req.headers['if-none-match'] === etag) res.writeHead(304, withCommonHeaders(req, unchanged)).end();
  else res.writeHead(200, withCommonHeaders(req, headers)).end(body, 'latin1');
}
