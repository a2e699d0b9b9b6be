import type { ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import type { Collected } from '../proxy/collect.ts';
import { fileAnswerHeaders } from '../proxy/file-headers.ts';
import type { GatewayRequest } from '../proxy/gateway-request.ts';
import type { Upstream } from '../proxy/upstream.ts';

/** Bytes of bodies in memory. A release of shell and remotes has 2 MB in all its encodings. */
const maxBytes = 64 * 1024 * 1024;

/** File names with a digest of the content, as webpack-config writes them: such files never change. */
const hashedName = /\.[0-9a-f]{16,}\.[a-z0-9.]+$/;

/** Smallest first; the order in which a browser lists them has nothing to do with size. */
const encodings = ['br', 'gzip', 'identity'];

/** Headers that belong to one response, not to the file. */
const notKept = new Set(['age', 'connection', 'date', 'keep-alive', 'transfer-encoding']);

interface HashedFile {
  readonly body: Buffer;
  readonly etag: string | undefined;
  readonly rawHeaders: string[];
}

/**
 * Caches the front-ends' immutable files: visitors get them without a request to the front-end's server, also while it
 * is being deployed. Each file is cached per encoding; the least recently used ones are dropped first.
 */
export class HashedFiles {
  #files = emptyCache();

  /** Drops all files when a front-end publishes another build: what a broken build sent must not outlive it. */
  clear(): void {
    // A new cache, so that responses in flight aren't added to it.
    this.#files = emptyCache();
  }

  /** Sends a file from memory, or requests it. @param req - its `url` is the path on the front-end's server */
  send(upstream: Upstream, req: GatewayRequest, res: ServerResponse): void {
    const { url = '', headers } = req;
    if (req.method !== 'GET' || headers.range !== undefined || !hashedName.test(url)) return upstream.send(req, res);
    const encoding = bestEncoding(req);
    if (encoding === undefined) return upstream.send(req, res);
    const key = `${upstream.name} ${encoding} ${url}`;
    const files = this.#files;
    const kept = files.get(key);
    if (kept) return answer(req, res, kept);
    // The browser's own copy must not turn the response into a 304.
    const { 'if-none-match': _etag, 'if-modified-since': _date, ...others } = headers;
    req.headers = { ...others, 'accept-encoding': encoding };
    upstream.send(req, res, undefined, (collected) => {
      req.headers = headers;
      // The client already has an error.
      if (res.headersSent || res.destroyed) return;
      const file = fileOf(collected, encoding);
      if (file) {
        files.set(key, file);
        answer(req, res, file);
      } else if (collected === 'slow') {
        upstream.reject(req, res, collected);
      } else {
        // Too large for memory, missing, or not what the digest in its name promises: forward it unchanged.
        upstream.send(req, res);
      }
    });
  }
}

function emptyCache(): LRUCache<string, HashedFile> {
  return new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ body }) => body.length + 1024 });
}

function bestEncoding(req: GatewayRequest): string | undefined {
  const acceptable = new Negotiator(req).encodings();
  return encodings.find((encoding) => acceptable.includes(encoding));
}

/** @returns `undefined` if the response may not be kept */
function fileOf(collected: Collected, encoding: string): HashedFile | undefined {
  if (!collected || collected === 'slow' || collected.status !== 200) return undefined;
  const { headers, body } = collected;
  if (!/\bimmutable\b/.test(headers['cache-control'] ?? '')) return undefined;
  // Some files have no compressed form.
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== encoding) return undefined;
  const rawHeaders = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && !notKept.has(name) ? [name, value] : [],
  );
  return { body, etag: headers.etag, rawHeaders };
}

function answer(req: GatewayRequest, res: ServerResponse, { body, etag, rawHeaders }: HashedFile): void {
  const statusCode = etag !== undefined && req.headers['if-none-match'] === etag ? 304 : 200;
  res.writeHead(statusCode, fileAnswerHeaders({ rawHeaders, statusCode }, res, req));
  if (statusCode === 304) res.end();
  else res.end(body);
}
