import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { passOn } from '../server/bodies.ts';
import type { GatewayRequest } from '../server/gateway-request.ts';
import type { Upstream } from '../proxy/upstream.ts';
import { fileAnswerHeaders } from './file-headers.ts';

/** Bytes of bodies in memory. A release of shell and remotes has 2 MB in all its encodings. */
const maxBytes = 64 * 1024 * 1024;

/** Longer files aren't kept. */
const maxFileBytes = 256 * 1024;

/** File names with a digest of the content, as webpack-config writes them: such files never change. */
const hashedName = /\.[0-9a-f]{16,}\.[a-z0-9.]+$/;

/** Smallest first; the order in which a browser lists them has nothing to do with size. */
const encodings = ['br', 'gzip', 'identity'] as const;

/** Headers that belong to one response, not to the file. */
const notKept = ['age', 'date', 'transfer-encoding'];

interface HashedFile {
  readonly body: Buffer;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Caches the front-ends' immutable files: visitors get them without a request to the front-end's server, also while it
 * is being deployed. Each file is cached per encoding; the least recently used ones are dropped first.
 */
export class HashedFiles {
  #files = emptyCache();
  /** Where to keep the files that are being requested. */
  readonly #requested = new WeakMap<ServerResponse, (file: HashedFile) => void>();

  /** Drops all files when a front-end publishes another build: what a broken build sent must not outlive it. */
  clear(): void {
    // A new cache, so that responses in flight aren't added to it.
    this.#files = emptyCache();
  }

  /** Sends a file from memory, or requests it. @param req - its `url` is the path on the front-end's server */
  send(upstream: Upstream, req: Request, res: Response): void {
    const { url, headers } = req;
    const encoding = hashedName.test(url) && req.method === 'GET' && !headers.range ? bestEncoding(req) : undefined;
    if (encoding === undefined) return upstream.send(req, res);
    const key = `${upstream.name} ${encoding} ${url}`;
    const files = this.#files;
    const kept = files.get(key);
    if (kept) return answer(req, res, kept);
    // The browser's own copy must not turn the response into a 304.
    const { 'if-none-match': _etag, 'if-modified-since': _date, ...others } = headers;
    req.headers = { ...others, 'accept-encoding': encoding };
    this.#requested.set(res, (file) => files.set(key, file));
    upstream.send(req, res);
  }

  /** Passes a server's response on, and keeps its file. */
  readonly sendFile = (incoming: IncomingMessage, req: GatewayRequest, res: ServerResponse): void => {
    const keep = this.#requested.get(res);
    if (keep && isImmutable(incoming, req)) read(incoming, keep);
    passOn(incoming, res, fileAnswerHeaders(incoming, req));
  };
}

function emptyCache(): LRUCache<string, HashedFile> {
  return new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ body }) => body.length + 1024 });
}

/** The smallest encoding that a client takes; `undefined` if it takes none that we have. */
export function bestEncoding(req: Pick<GatewayRequest, 'headers'>): (typeof encodings)[number] | undefined {
  const acceptable = new Negotiator(req).encodings();
  return encodings.find((encoding) => acceptable.includes(encoding));
}

function isImmutable({ statusCode, headers }: IncomingMessage, req: GatewayRequest): boolean {
  const { 'cache-control': cacheControl = '', 'content-encoding': encoding } = headers;
  // Some files have no compressed form.
  const isAsRequested = encoding === undefined || encoding === req.headers['accept-encoding'];
  return statusCode === 200 && isAsRequested && /\bimmutable\b/.test(cacheControl);
}

/** Reads a file while it is sent. */
function read(incoming: IncomingMessage, keep: (file: HashedFile) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  incoming.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxFileBytes) chunks.push(chunk);
  });
  incoming.on('end', () => {
    if (bytes > maxFileBytes) return;
    const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !notKept.includes(name)));
    keep({ body: Buffer.concat(chunks), headers });
  });
}

/** Express compares the ETags. */
function answer(req: Request, res: Response, { body, headers }: HashedFile): void {
  res.setHeader('etag', headers.etag ?? '');
  const isUnchanged = req.fresh;
  res.writeHead(isUnchanged ? 304 : 200, fileAnswerHeaders({ headers }, req)).end(isUnchanged ? undefined : body);
}
