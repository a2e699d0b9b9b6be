import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { CallPlan } from './call-plan.ts';
import type { OtherKeepers } from './cluster/siblings.ts';
import type { CollectedAnswer } from './collect.ts';
import type { GatewayRequest } from './gateway-request.ts';
import { withCommonHeaders } from './headers.ts';
import type { Upstream } from './upstream.ts';

/** Sends a request on by its plan; the answer is given in any case. */
export type SendCall = (req: GatewayRequest, res: ServerResponse, plan: CallPlan) => void;

/** Milliseconds that an answer may be given again. */
const freshMs = 1000;

/** Longer lists go through as a stream: they would fill our memory. */
const maxBytes = 256 * 1024;

const maxEntries = 200;

/** Headers that belong to a list itself. Whatever service-kit sends with a page must be here, or only the first visitor gets it. */
const keptHeaders = ['content-type', 'link', 'x-total-count', 'x-total-count-relation'] as const;

interface Entry {
  /** Its bytes as a string of as many characters, which Node sends together with the headers; two buffers cost it half as much again. */
  readonly body: string;
  readonly etag: string;
  /** Names and values by turns, of the list and of the word that it is unchanged. */
  readonly headers: readonly string[];
  readonly unchanged: readonly string[];
  readonly until: number;
}

/**
 * Answers the lists that everyone may see from memory for a second, and asks once for all who ask at the same time:
 * they are what visitors load most, and answering costs the service a hundred times more than us.
 *
 * A change that goes through this gateway is seen at once: it empties the memory, and until it is through nothing is
 * kept or taken from there. A change from elsewhere is seen a second later.
 *
 * @param upstream - takes all other requests
 * @param others - who keep the same lists; a change is sent on when they have dropped them, too
 */
export function withPublicLists(upstream: Upstream, others?: OtherKeepers): SendCall {
  const entries = new Map<string, Entry>();
  const asking = new Map<string, Promise<Entry | 'slow' | undefined>>();
  let changes = 0;
  let generation = 0;

  /** @returns to be called when the change is over */
  function drop(): () => void {
    changes += 1;
    generation += 1;
    entries.clear();
    asking.clear();
    return () => {
      changes -= 1;
    };
  }
  others?.onChange(drop);

  function change(req: GatewayRequest, res: ServerResponse, plan: CallPlan): void {
    res.once('close', drop());
    if (!others) return upstream.send(req, res, plan);
    const { heard, over } = others.begin();
    res.once('close', over);
    void heard.then(() => {
      if (!res.destroyed) upstream.send(req, res, plan);
    });
  }

  async function ask(url: string, req: GatewayRequest): Promise<Entry | 'slow' | undefined> {
    const begun = generation;
    const answered = await upstream.collect(url, req, maxBytes);
    if (answered === 'slow') return answered;
    const entry = answered && entryOf(answered);
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
    let pending = asking.get(url);
    if (!pending) {
      const mine = ask(url, req).finally(() => {
        if (asking.get(url) === mine) asking.delete(url);
      });
      pending = mine;
      asking.set(url, mine);
    }
    pending.then(
      (entry) => {
        if (res.destroyed) return;
        if (entry === 'slow') upstream.refuse(req, res, entry);
        else if (entry) answer(req, res, entry);
        // Whatever is wrong, the ordinary way knows how to answer it.
        else upstream.send(req, res, plan);
      },
      () => upstream.send(req, res, plan),
    );
  };
}

/** @returns nothing where the answer isn't an ordinary one that may be kept */
function entryOf({ status, headers, body }: CollectedAnswer): Entry | undefined {
  if (status !== 200 || headers['set-cookie'] || /no-store|private/.test(headers['cache-control'] ?? '')) return undefined;
  const kept = keptHeaders.flatMap((name) => (typeof headers[name] === 'string' ? [name, headers[name]] : []));
  const etag = `"${createHash('sha1').update(body).update(JSON.stringify(kept)).digest('base64url')}"`;
  const unchanged = ['ETag', etag, 'Cache-Control', 'no-cache'];
  return { body: body.toString('latin1'), etag, headers: [...kept, ...unchanged, 'Content-Length', String(body.length)], unchanged, until: performance.now() + freshMs };
}

function answer(req: GatewayRequest, res: ServerResponse, { body, etag, headers, unchanged }: Entry): void {
  if (req.headers['if-none-match'] === etag) res.writeHead(304, withCommonHeaders(req, unchanged)).end();
  else res.writeHead(200, withCommonHeaders(req, headers)).end(body, 'latin1');
}
