import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { basename } from 'node:path/posix';
import type { Request, RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { Deployments } from '../deployments/deployments.ts';
import type { Upstream } from '../proxy/upstream.ts';
import { sendUnknown } from '../server/answers.ts';
import { bestEncoding } from '../server/best-encoding.ts';
import { hashedName } from '../server/hashed-name.ts';
import { onlyReading } from '../server/request-rules.ts';
import { fileResponseHeaders } from './file-headers.ts';

/** Bytes of bodies in memory. A release of shell and remotes has 2 MB in all its encodings. */
const maxBytes = 64 * 1024 * 1024;

/** Longer files aren't kept. */
const maxFileBytes = 256 * 1024;

/** Headers that belong to one response, not to the file. */
const notKept = ['age', 'date', 'transfer-encoding'];

interface HashedFile {
  readonly body: Buffer;
  readonly headers: IncomingHttpHeaders;
}

/**
 * The files of shell and remotes. Those that never change are kept: visitors get them without a request to the front-end's server,
 * also while it is being deployed. Each is kept per encoding; the least recently used ones are dropped first.
 */
export class FrontEndFiles {
  #kept = emptyCache();

  /** Drops all files when a front-end publishes another build: what a broken build sent must not outlive it. */
  clear(): void {
    // A new cache, so that responses in flight aren't added to it.
    this.#kept = emptyCache();
  }

  /**
   * Answers requests for the files of a front-end, without their queries: no file depends on one, and it may reveal something about
   * the visitor.
   *
   * @param path - of the file; default: the address below its folder
   */
  of(upstream: Upstream, path?: string): RequestHandler {
    return (req, res) => this.#answer(upstream, path ?? req.path, req, res);
  }

  /** Answers requests for the remotes' files: `/<name>/…`, below their common folder. */
  ofRemotes(remotes: Deployments['remotes']): RequestHandler {
    return (req, res) => {
      const { path } = req;
      const [, name = ''] = path.split('/', 2);
      const upstream = remotes.get(name)?.upstream;
      if (upstream) this.#answer(upstream, path.slice(1 + name.length) || '/', req, res);
      else sendUnknown(req, res);
    };
  }

  #answer(upstream: Upstream, path: string, req: Request, res: Response): void {
    req.target = upstream.name;
    onlyReading(req, res, () => {
      req.url = path;
      const isKept = hashedName.test(basename(path)) && req.method === 'GET' && !req.headers.range;
      const encoding = isKept ? bestEncoding(req) : undefined;
      if (encoding === undefined) return upstream.send(req, res);
      const key = `${upstream.name} ${encoding} ${path}`;
      const files = this.#kept;
      const kept = files.get(key);
      if (kept) return answer(req, res, kept);
      // The browser's own copy must not turn the response into a 304.
      const { 'if-none-match': _etag, 'if-modified-since': _date, ...others } = req.headers;
      req.headers = { ...others, 'accept-encoding': encoding };
      req.keepFile = (incoming) => {
        if (isImmutable(incoming, encoding)) read(incoming, (file) => files.set(key, file));
      };
      upstream.send(req, res);
    });
  }
}

function emptyCache(): LRUCache<string, HashedFile> {
  return new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ body }) => body.length + 1024 });
}

function isImmutable({ statusCode, headers }: IncomingMessage, requested: string): boolean {
  const { 'cache-control': cacheControl = '', 'content-encoding': encoding } = headers;
  // Some files have no compressed form.
  const isAsRequested = encoding === undefined || encoding === requested;
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
  res.writeHead(isUnchanged ? 304 : 200, fileResponseHeaders({ headers }, req)).end(isUnchanged ? undefined : body);
}
