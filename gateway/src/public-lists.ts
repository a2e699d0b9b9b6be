import { createHash } from 'node:crypto';
import { Agent, request, type ServerResponse } from 'node:http';
import { routesOf, type ServiceName } from '@clinic/contracts/routes';
import type { GatewayRequest } from './gateway-request.ts';
import { setCommonHeaders } from './headers.ts';
import type { Upstream } from './upstream.ts';

/** Milliseconds that an answer may be given again. */
const freshMs = 1000;

/** Longer lists go through as a stream: they would fill our memory. */
const maxBytes = 256 * 1024;

const maxEntries = 200;

/** What a list says beside its rows. */
const keptHeaders = ['content-type', 'link', 'x-total-count'] as const;

interface Entry {
  readonly body: Buffer;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly until: number;
}

/** Paths of the lists that a service gives to everyone, the same to all. */
function publicListsOf(service: ServiceName): Set<string> {
  const lists = routesOf(service).filter(([, { method, access, paged }]) => method === 'GET' && access.kind === 'everyone' && paged);
  return new Set(lists.map(([, { path }]) => path));
}

/**
 * Answers the lists that everyone may see from memory for a second, and asks once for all who ask at the same time:
 * they are what visitors load most, and answering costs the service a hundred times more than us.
 *
 * A change that goes through this gateway is seen at once: it empties the memory, and until it is through nothing is
 * kept or taken from there. A change from elsewhere is seen a second later.
 *
 * @param target address of one of the service's servers, by turns
 * @param upstream takes all other requests
 */
export function withPublicLists(service: ServiceName, target: () => string, upstream: Upstream): Upstream {
  const lists = publicListsOf(service);
  if (lists.size === 0) return upstream;
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const entries = new Map<string, Entry>();
  const asking = new Map<string, Promise<Entry | undefined>>();
  let changes = 0;
  let generation = 0;

  function change(req: GatewayRequest, res: ServerResponse): void {
    changes += 1;
    generation += 1;
    entries.clear();
    asking.clear();
    res.once('close', () => {
      changes -= 1;
    });
    upstream(req, res);
  }

  async function ask(url: string, req: GatewayRequest): Promise<Entry | undefined> {
    const begun = generation;
    const entry = await fetchList(new URL(url, target()), req, agent);
    if (entry && generation === begun && changes === 0) {
      if (entries.size >= maxEntries) entries.clear();
      entries.set(url, entry);
    }
    return entry;
  }

  return (req, res) => {
    const { method = '', url = '' } = req;
    if (method !== 'GET' && method !== 'HEAD') return change(req, res);
    if (method !== 'GET' || changes > 0 || !lists.has(url.split('?', 1)[0] ?? '')) return upstream(req, res);
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
        if (entry) answer(req, res, entry);
        else upstream(req, res);
      },
      // Whatever is wrong, the ordinary way knows how to answer it.
      () => upstream(req, res),
    );
  };
}

/** @returns nothing where the answer isn't an ordinary, short one */
function fetchList(url: URL, asked: GatewayRequest, agent: Agent): Promise<Entry | undefined> {
  const { cookie: _cookie, authorization: _authorization, 'if-none-match': _condition, 'accept-encoding': _encodings, ...headers } = asked.headers;
  return new Promise((resolve, reject) => {
    const req = request(url, { agent, headers, timeout: 10_000 }, (res) => {
      if (res.statusCode !== 200 || res.headers['set-cookie'] || /no-store|private/.test(res.headers['cache-control'] ?? '')) {
        res.resume();
        resolve(undefined);
        return;
      }
      const chunks: Buffer[] = [];
      let bytes = 0;
      res.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes <= maxBytes) return;
        resolve(undefined);
        req.destroy();
      });
      res.on('error', reject);
      res.on('end', () => {
        const body = Buffer.concat(chunks);
        const kept = Object.fromEntries(keptHeaders.flatMap((name) => (typeof res.headers[name] === 'string' ? [[name, res.headers[name]]] : [])));
        const etag = `"${createHash('sha1').update(body).update(JSON.stringify(kept)).digest('base64url')}"`;
        resolve({ body, etag, headers: kept, until: performance.now() + freshMs });
      });
    });
    req.on('timeout', () => req.destroy(new Error('The list takes too long')));
    req.on('error', reject);
    req.end();
  });
}

function answer(req: GatewayRequest, res: ServerResponse, { body, etag, headers }: Entry): void {
  setCommonHeaders(res, req);
  const validators = { ETag: etag, 'Cache-Control': 'no-cache' };
  if (req.headers['if-none-match'] === etag) res.writeHead(304, validators).end();
  else res.writeHead(200, { ...headers, ...validators, 'Content-Length': body.length }).end(body);
}
