import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { BuildFile, Encoding, Representation } from './build-files.ts';
import { htmlBundle, HtmlPages } from './html-pages.ts';
import type { LiveBuild } from './live-build.ts';

/**
 * Serves a build from memory for GET and HEAD, plus `/health/live` and `/health/ready`, and renders its pages for gateways.
 *
 * @param sourceMaps - folder of the scripts' source maps, named in the scripts' response headers
 *   (https://tc39.es/ecma426/)
 * @param onError - called with what a page throws that is rendered
 */
export function staticHandler(
  build: LiveBuild,
  sourceMaps?: string,
  onError: (error: unknown) => void = () => undefined,
): RequestListener {
  const pages = new HtmlPages(build, onError);
  return (req, res) => {
    if (req.method === 'POST' && req.url === '/html' && req.headers[releasesHeader] !== undefined)
      return void pages.answer(req, res).catch((error: unknown) => {
        // The gateway has gone, which asks again.
        res.destroy(error instanceof Error ? error : undefined);
      });
    if (req.method !== 'GET' && req.method !== 'HEAD')
      return text(res, 405, 'method not allowed', { Allow: 'GET, HEAD' });
    const urlPath = pathOf(req);
    if (urlPath === undefined) return text(res, 400, 'bad address');
    if (urlPath === '/health/live') return text(res, 200, 'ok');
    if (urlPath === '/health/ready')
      return build.ready ? text(res, 200, 'ok') : text(res, 503, 'no build in the directory yet');
    if (req.headers[releasesHeader] !== undefined) return answerGateway(build, urlPath, req, res);
    // Only names read from the directory can be found, so no path escapes it.
    const file = build.find(urlPath === '/' ? '/index.html' : urlPath);
    if (sourceMaps !== undefined && !file && mapName.test(urlPath)) return void sendMap(res, join(sourceMaps, urlPath));
    if (sourceMaps !== undefined && urlPath.endsWith('.js')) res.setHeader('SourceMap', `${basename(urlPath)}.map`);
    if (!file || urlPath === htmlBundle) return text(res, 404, 'not found');
    send(req, res, choose(file, req.headers['accept-encoding']));
  };
}

/** Header of a gateway's own questions; gateways pass on no visitor's. */
const releasesHeader = 'clinic-releases';

/** Answers a gateway's question about the kept releases: their list, or a file of one. */
function answerGateway({ releases }: LiveBuild, urlPath: string, req: IncomingMessage, res: ServerResponse): void {
  if (urlPath === '/releases.json' && releases) return text(res, 200, releases.listing);
  const [, folder, name = '', ...rest] = urlPath.split('/');
  const file = folder === 'releases' ? releases?.use(name)?.get(`/${rest.join('/')}`) : undefined;
  if (file) send(req, res, choose(file, undefined));
  else text(res, 404, 'not found');
}

/** A name without folders, so that no path escapes the maps' folder. */
const mapName = /^\/[\w~-][\w.~-]*\.js\.map$/;

function sendMap(res: ServerResponse, path: string): Promise<void> {
  return readFile(path).then(
    (body) => void res.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(body),
    () => text(res, 404, 'not found'),
  );
}

function send(req: IncomingMessage, res: ServerResponse, { body, etag, headers }: Representation): void {
  if (matches(req.headers['if-none-match'], etag)) {
    const { 'Content-Length': _length, 'Content-Type': _type, 'Content-Encoding': _encoding, ...rest } = headers;
    res.writeHead(304, rest).end();
    return;
  }
  res.writeHead(200, headers);
  if (req.method === 'HEAD') res.end();
  else res.end(body);
}

function pathOf(req: IncomingMessage): string | undefined {
  const raw = (req.url ?? '/').split('?', 1)[0] ?? '/';
  try {
    return decodeURIComponent(raw);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** The smallest representation that the client accepts (RFC 9110, section 12.5.3). */
function choose({ representations }: BuildFile, accept: string | undefined): Representation {
  const unacceptable = /;\s*q=0(?:\.0*)?$/;
  const accepted = new Set(
    (accept ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter((part) => !unacceptable.test(part))
      .map((part) => part.split(';', 1)[0]?.trim().toLowerCase()),
  );
  for (const encoding of ['br', 'gzip'] satisfies Encoding[]) {
    const representation = representations[encoding];
    if (representation && accepted.has(encoding)) return representation;
  }
  const { identity } = representations;
  if (!identity) throw new Error('build file without an uncompressed representation');
  return identity;
}

function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return (
    ifNoneMatch.trim() === '*' ||
    ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
  );
}

function text(res: ServerResponse, status: number, message: string, headers: Record<string, string> = {}): void {
  res
    .writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', ...headers })
    .end(`${message}\n`);
}
