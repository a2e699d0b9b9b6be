import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { CallPlan } from '../proxy/call-plan.ts';
import type { Changes } from '../proxy/changes.ts';
import type { Collected, CollectedAnswer } from '../proxy/collect.ts';
import type { GatewayRequest } from '../proxy/gateway-request.ts';
import { PreparedHead } from '../proxy/prepared-head.ts';
import type { Upstream } from '../proxy/upstream.ts';

/** Milliseconds for which a cached response may be reused. */
const freshMs = 1000;

const maxEntries = 200;

/**
 * Headers cached with a list. Whatever service-kit sends with a page must be here, or only the first visitor gets it.
 */
const keptHeaders = ['content-type', 'link', 'x-total-count', 'x-total-count-relation'] as const;

interface Entry {
  readonly body: Buffer;
  readonly etag: string;
  readonly whole: PreparedHead;
  readonly unchanged: PreparedHead;
  readonly until: number;
}

/**
 * Caches a service's public lists for a second, and makes a single upstream request for concurrent visitors. They are
 * what visitors load most, and answering them costs the service a hundred times more than it costs us.
 *
 * A change that goes through this gateway is visible at once: it clears the cache, and the cache is bypassed until the
 * change is done. Any other change is visible after a second.
 */
export class PublicLists {
  readonly #upstream: Upstream;
  readonly #changes: Changes;
  readonly #entries = new Map<string, Entry>();
  readonly #pending = new Map<string, Promise<Entry | 'slow' | undefined>>();

  constructor(upstream: Upstream, changes: Changes) {
    this.#upstream = upstream;
    this.#changes = changes;
    changes.onBegin(() => {
      this.#entries.clear();
      this.#pending.clear();
    });
  }

  /** Answers a GET request from memory. @returns whether it could */
  answerFromMemory(req: GatewayRequest, res: ServerResponse): boolean {
    const entry = this.#entries.get(req.url ?? '');
    if (!entry || entry.until <= performance.now()) return false;
    answer(req, res, entry);
    return true;
  }

  /** Sends a shared list, with one upstream request for all visitors waiting for it. */
  send(req: GatewayRequest, res: ServerResponse, plan: CallPlan): void {
    if (this.#changes.inFlight > 0) return this.#upstream.send(req, res, plan);
    const { url = '' } = req;
    void this.#pendingList(url, req, res, plan).then((list) => {
      // The visitor whose request was shared already has its error.
      if (res.headersSent || res.destroyed) return;
      if (list === 'slow') this.#upstream.reject(req, res, list);
      else if (list) answer(req, res, list);
      // Ordinary forwarding handles whatever went wrong.
      else this.#upstream.send(req, res, plan);
    });
  }

  #pendingList(
    url: string,
    req: GatewayRequest,
    res: ServerResponse,
    plan: CallPlan,
  ): Promise<Entry | 'slow' | undefined> {
    const pending = this.#pending.get(url);
    if (pending) return pending;
    const mine = this.#request(url, req, res, plan).finally(() => {
      if (this.#pending.get(url) === mine) this.#pending.delete(url);
    });
    this.#pending.set(url, mine);
    return mine;
  }

  /** Requests a list for all waiting visitors, as the request of the first. */
  async #request(
    url: string,
    req: GatewayRequest,
    res: ServerResponse,
    plan: CallPlan,
  ): Promise<Entry | 'slow' | undefined> {
    const { headers } = req;
    const { begun } = this.#changes;
    const collected = await new Promise<Collected>((resolve) => this.#upstream.send(req, res, plan, resolve));
    // It was sent without the headers that identify a visitor.
    req.headers = headers;
    if (collected === 'slow') return collected;
    const entry = collected && entryOf(collected);
    if (entry && this.#changes.begun === begun && this.#changes.inFlight === 0) {
      if (this.#entries.size >= maxEntries) this.#entries.clear();
      this.#entries.set(url, entry);
    }
    return entry;
  }
}

/** @returns `undefined` if the response may not be cached */
function entryOf({ status, headers, body }: CollectedAnswer): Entry | undefined {
  if (status !== 200 || headers['set-cookie'] || /no-store|private/.test(headers['cache-control'] ?? ''))
    return undefined;
  const kept = keptHeaders.flatMap((name) => (typeof headers[name] === 'string' ? [name, headers[name]] : []));
  const etag = `"${createHash('sha1').update(body).update(JSON.stringify(kept)).digest('base64url')}"`;
  const unchanged = ['ETag', etag, 'Cache-Control', 'no-cache'];
  return {
    body,
    etag,
    whole: new PreparedHead(200, [...kept, ...unchanged, 'Content-Length', String(body.length)]),
    unchanged: new PreparedHead(304, unchanged),
    until: performance.now() + freshMs,
  };
}

function answer(req: GatewayRequest, res: ServerResponse, { body, etag, whole, unchanged }: Entry): void {
  if (req.headers['if-none-match'] === etag) {
    unchanged.write(req, res);
    res.end();
  } else {
    whole.write(req, res);
    res.end(body);
  }
}
