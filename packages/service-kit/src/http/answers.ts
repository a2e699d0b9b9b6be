import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';
import type { Route } from '@clinic/contracts';
import type { StreamListener } from '../live/event-stream.ts';

/** An async source of documents; MongoDB cursors are one. */
export interface RowSource<Row> extends AsyncIterable<Row> {
  close(): Promise<void>;
}

/** A whole list, streamed as it is read. */
export class Streamed<Element> {
  readonly rows: AsyncIterable<Element>;
  readonly close: () => Promise<void>;

  constructor(rows: AsyncIterable<Element>, close: () => Promise<void>) {
    this.rows = rows;
    this.close = close;
  }
}

/** One page of a list. */
export class Page<Element> {
  readonly rows: readonly Element[];
  readonly next: string | undefined;
  readonly total: PageTotal | undefined;
  #json: Buffer | undefined;
  #compressed: Buffer | undefined;

  constructor(rows: readonly Element[], next: string | undefined, total: PageTotal | undefined) {
    this.rows = rows;
    this.next = next;
    this.total = total;
  }

  /** The rows as JSON, written once however many requests share the page. */
  get json(): Buffer {
    return (this.#json ??= Buffer.from(JSON.stringify(this.rows)));
  }

  /** The same, compressed. Of 12 kB it leaves 1.8 and takes 73 µs; brotli at its fourth level leaves as much and takes 127. */
  get compressed(): Buffer {
    return (this.#compressed ??= gzipSync(this.json));
  }
}

/** The total number of rows; at least that many if not exact. */
export interface PageTotal {
  readonly count: number;
  readonly exact: boolean;
}

export type ListAnswer<Element> = Streamed<Element> | Page<Element>;

/**
 * Streams a whole array straight from a cursor, in constant memory.
 *
 * @param cursor - closed when the response ends, also if the client disconnects
 * @param map - maps a document to its wire shape
 */
export function streamed<Row, Element>(cursor: RowSource<Row>, map: (row: Row) => Element): Streamed<Element> {
  async function* rows(): AsyncGenerator<Element> {
    for await (const row of cursor) yield map(row);
  }
  return new Streamed(rows(), () => cursor.close());
}

/** Maps rows in batches, to read related data for many of them at once. */
export interface BatchMap<Row, Element> {
  /** @returns one element per row, in the same order */
  readonly batch: (rows: readonly Row[]) => Promise<Element[]>;
}

/** Whoever reads a list: one that takes long ends with their rights. */
export type Reader = Pick<StreamListener, 'authorise' | 'onRightsChanged'>;

/** The parts of a route that decide how its response is sent. */
type AnswerForm = Pick<Route, 'status' | 'media' | 'access'>;

/** Rows mapped at a time in a streamed list. */
const batchSize = 100;

/** {@link streamed} with rows mapped in batches. */
export function streamedInBatches<Row, Element>(
  cursor: RowSource<Row>,
  { batch }: BatchMap<Row, Element>,
): Streamed<Element> {
  async function* rows(): AsyncGenerator<Element> {
    let waiting: Row[] = [];
    for await (const row of cursor) {
      waiting.push(row);
      if (waiting.length < batchSize) continue;
      yield* await batch(waiting);
      waiting = [];
    }
    if (waiting.length > 0) yield* await batch(waiting);
  }
  return new Streamed(rows(), () => cursor.close());
}

/**
 * Returns one page.
 *
 * @param next - cursor of the next page: the `Link: rel="next"` header
 * @param total - rows on all pages: the `X-Total-Count` header
 */
export function page<Element>(parts: {
  readonly rows: readonly Element[];
  readonly next?: string;
  readonly total?: number | PageTotal;
}): Page<Element> {
  const { rows, next, total } = parts;
  return new Page(rows, next, typeof total === 'number' ? { count: total, exact: true } : total);
}

/** A download of the media type that the contract names. */
export class FileAnswer {
  readonly name: string;
  readonly text: string;
  /** How long the client may keep it; if set, a client with the same content gets 304. */
  readonly cacheControl: string | undefined;

  constructor(name: string, text: string, cacheControl?: string) {
    this.name = name;
    this.text = text;
    this.cacheControl = cacheControl;
  }
}

/**
 * Returns a download.
 *
 * @param name - file name for the browser: letters, digits, dots and hyphens
 * @param cacheControl - for programs that poll the file: it gets an ETag, and they get 304 while it is unchanged (RFC
 *   9110, section 13)
 */
export function file(name: string, text: string, cacheControl?: string): FileAnswer {
  if (!/^[\w.-]+$/.test(name)) throw new Error(`${name} can't be a file's name in a header`);
  return new FileAnswer(name, text, cacheControl);
}

/**
 * Bytes from which a page is compressed: less fits into two packets. Only pages that everybody may read are: where secrets are
 * beside what a stranger may have put in, the length would tell of them (https://breachattack.com).
 */
const compressedFrom = 2_000;

/** Characters buffered per write to the socket. */
const chunkSize = 32_768;

/** Milliseconds that a client may hold a list open without reading. */
const stallLimit = 30_000;

/** Sends what a handler returned. @param form - `media`: the media type of a file */
export async function sendAnswer(
  request: Request,
  response: Response,
  { status, media, access }: AnswerForm,
  answer: unknown,
  reader: Reader,
): Promise<void> {
  if (response.headersSent) return;
  if (answer instanceof FileAnswer) {
    if (answer.cacheControl !== undefined && isUnchanged(request, response, answer.text, answer.cacheControl)) return;
    response.setHeader('Content-Disposition', `attachment; filename="${answer.name}"`);
    return send(request, response, status, `${media ?? 'text/plain'}; charset=utf-8`, answer.text);
  }
  if (answer instanceof Streamed) return sendStream(request, response, status, answer, reader);
  if (answer instanceof Page) {
    if (answer.next !== undefined) response.setHeader('Link', `<${addressOfPage(request, answer.next)}>; rel="next"`);
    if (answer.total) {
      response.setHeader('X-Total-Count', String(answer.total.count));
      if (!answer.total.exact) response.setHeader('X-Total-Count-Relation', 'gte');
    }
    if (access.kind !== 'everyone' || answer.json.length < compressedFrom)
      return sendJson(request, response, status, answer.json);
    response.setHeader('Vary', 'Accept-Encoding');
    if (request.acceptsEncodings('gzip', 'identity') !== 'gzip')
      return sendJson(request, response, status, answer.json);
    response.setHeader('Content-Encoding', 'gzip');
    return sendJson(request, response, status, answer.compressed);
  }
  if (answer === undefined || status === 204) {
    response.writeHead(status === 200 ? 204 : status).end();
    return;
  }
  sendJson(request, response, status, JSON.stringify(answer));
}

/**
 * Sets the ETag of content that may be kept.
 *
 * @returns whether the client has the same content, and got a 304
 */
export function isUnchanged(request: Request, response: Response, content: string, cacheControl: string): boolean {
  response.setHeader('Cache-Control', cacheControl);
  const etag = `"${createHash('sha256').update(content).digest('base64url')}"`;
  response.setHeader('ETag', etag);
  // `request.fresh` would send everything to programs that also send `Cache-Control: no-cache`.
  const known = request.get('if-none-match')?.split(',') ?? [];
  if (!known.some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))) return false;
  response.writeHead(304).end();
  return true;
}

function sendJson(request: Request, response: Response, status: number, json: string | Buffer): void {
  send(request, response, status, 'application/json; charset=utf-8', json);
}

function send(request: Request, response: Response, status: number, type: string, text: string | Buffer): void {
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) });
  response.end(request.method === 'HEAD' ? undefined : text);
}

/** Relative URL of the list's next page. */
function addressOfPage(request: Request, cursor: string): string {
  const url = new URL(request.originalUrl, 'http://localhost');
  url.searchParams.set('cursor', cursor);
  return `${url.pathname}${url.search}`;
}

async function sendStream(
  request: Request,
  response: Response,
  status: number,
  { rows, close }: Streamed<unknown>,
  { authorise, onRightsChanged }: Reader,
): Promise<void> {
  let rejection: Error | undefined;
  const reject = (error: Error): void => {
    rejection = error;
    // Cut off instead of looking complete.
    if (response.headersSent) response.destroy();
  };
  const forget = onRightsChanged(() => void authorise().catch(reject));
  try {
    let text = '[';
    for await (const row of rows) {
      if (response.destroyed) return;
      if (rejection) throw rejection;
      text += text.length > 1 || response.headersSent ? `,${JSON.stringify(row)}` : JSON.stringify(row);
      if (text.length < chunkSize) continue;
      // Headers go out with the first chunk: until then a database failure can still become a problem response.
      if (!response.headersSent) response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
      if (request.method === 'HEAD') break;
      const flowing = response.write(text);
      text = '';
      if (response.destroyed) return;
      if (!flowing && !(await drained(response))) return;
    }
    if (response.headersSent) response.end(request.method === 'HEAD' ? undefined : `${text}]`);
    else sendJson(request, response, status, `${text}]`);
  } finally {
    forget();
    await close();
  }
}

/** Waits until the client has read; `false` if it disconnected or stopped reading. */
function drained(response: Response): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (alive: boolean): void => {
      clearTimeout(timer);
      response.off('drain', onDrain).off('close', onClose);
      resolve(alive);
    };
    const onDrain = (): void => settle(true);
    const onClose = (): void => settle(false);
    const timer = setTimeout(() => {
      settle(false);
      response.destroy();
    }, stallLimit);
    response.on('drain', onDrain).on('close', onClose);
  });
}
