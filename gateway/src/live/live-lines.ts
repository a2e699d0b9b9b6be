import { liveBeatEvery, type LiveStreams } from '@clinic/contracts/live';
import type { Request, Response } from 'express';
import { FairLimit } from '../proxy/fair-limit.ts';
import { sendProblem } from '../server/answers.ts';
import { serviceRequestHeaders } from '../proxy/headers.ts';
import { ServiceStream, type StreamSource } from './service-stream.ts';

/** Characters buffered for a slow browser before it is disconnected; it then reopens the line and misses nothing. */
const mostWaiting = 64 * 1024;

/** Milliseconds that a line waits for slow services before it announces its streams. */
const firstAnswerWithin = 1_000;

/**
 * Milliseconds before browsers of a lost stream are asked to poll: most streams are back at once, from another replica.
 */
const lossAnnouncedAfter = 2_000;

/** Milliseconds that a line may have no stream at all. */
const uselessAfter = 10_000;

const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' };

/** Most live lines that a gateway holds; each has a stream from every service. */
const mostLines = 1000;

/** Streams in a position; a longer one isn't ours. */
const mostStreams = 50;

/** The browsers' live lines; see `@clinic/contracts/live`. */
export class LiveLines {
  readonly #sources: () => readonly StreamSource[];
  readonly #lines = new Set<LiveLine>();
  readonly #limit = new FairLimit(mostLines);
  readonly #ended: AbortSignal;

  /**
   * @param sources - the services' change streams, as they are published now
   * @param ended - ends all lines, so that browsers reopen them elsewhere
   */
  constructor(sources: () => readonly StreamSource[], ended: AbortSignal) {
    this.#sources = sources;
    this.#ended = ended;
    ended.addEventListener('abort', () => this.#lines.forEach((line) => line.end()));
  }

  get open(): number {
    return this.#lines.size;
  }

  /** Answers `GET /live`. */
  readonly answer = (req: Request, res: Response): void => {
    req.endless = true;
    if (req.headers.cookie === undefined) return sendProblem(req, res, 'unauthenticated');
    const release = this.#ended.aborted ? undefined : this.#limit.take(req.origin.network);
    if (!release) return sendProblem(req, res, 'unavailable', 'Live updates are busy right now.');
    res.once('close', release);
    res.writeHead(200, headers);
    // A response to HEAD has no events.
    if (req.method === 'HEAD') return void res.end();
    const line = new LiveLine(req, res, this.#sources);
    this.#lines.add(line);
    res.once('close', () => {
      this.#lines.delete(line);
      line.close();
    });
  };
}

/** One browser's line. */
class LiveLine {
  readonly #req: Request;
  readonly #res: Response;
  readonly #sources: () => readonly StreamSource[];
  readonly #open = new Map<string, ServiceStream>();
  /** Where to resume each stream, including those that are unavailable now. */
  readonly #position: Map<string, string>;
  readonly #began = performance.now();
  readonly #beat: NodeJS.Timeout;
  #announced = '';
  #announcing: NodeJS.Timeout | undefined;
  #lastUseful = performance.now();

  constructor(req: Request, res: Response, sources: () => readonly StreamSource[]) {
    this.#req = req;
    this.#res = res;
    this.#sources = sources;
    const { 'last-event-id': header, ...headers } = req.headers;
    req.headers = headers;
    // Browsers can't send the header when a page opens a line.
    const position = header ?? req.query['after'];
    this.#position = readPosition(typeof position === 'string' ? position : '');
    res.flushHeaders();
    this.#beat = setInterval(() => {
      this.#follow();
      if (this.#isUseless()) return this.end();
      this.#send('beat', {});
    }, liveBeatEvery);
    this.#announcing = setTimeout(() => this.#announce(), firstAnswerWithin);
    this.#follow();
  }

  end(): void {
    this.close();
    this.#res.end();
  }

  close(): void {
    clearInterval(this.#beat);
    this.#announceNoMore();
    for (const stream of this.#open.values()) stream.close();
  }

  /** Opens the streams published now, and closes all others. */
  #follow(): void {
    const sources = this.#sources();
    const late = performance.now() - this.#began > firstAnswerWithin;
    for (const [call, stream] of this.#open) {
      if (sources.some((source) => source.call === call)) continue;
      stream.close();
      this.#open.delete(call);
    }
    for (const source of sources) {
      if (this.#open.has(source.call)) continue;
      const stream = new ServiceStream({
        ...source,
        headers: this.#headersFor(source.service),
        lastId: this.#position.get(source.call),
        late,
        onChange: (change) => this.#send('change', change),
        onSession: () => this.#sessionOver(),
        onState: () => this.#stateChanged(),
      });
      this.#open.set(source.call, stream);
    }
    this.#stateChanged();
  }

  #headersFor(service: string): ReturnType<typeof serviceRequestHeaders> {
    const { 'accept-encoding': _, ...headers } = serviceRequestHeaders(this.#req, undefined, service, undefined);
    return headers;
  }

  #stateChanged(): void {
    const streams = [...this.#open.values()];
    if (this.#announced === '') {
      if (streams.length > 0 && streams.every(({ settled }) => settled)) this.#announce();
      return;
    }
    if (this.#announcement() === this.#announced) return this.#announceNoMore();
    // All streams are announced at once; fewer only if some stay unavailable.
    if (streams.every(({ connected }) => connected)) return this.#announce();
    // Failed attempts must not restart the timer, or streams that are retried in turn would never be announced as lost.
    this.#announcing ??= setTimeout(() => this.#announce(), lossAnnouncedAfter);
  }

  #announcement(): string {
    const connected = [...this.#open.values()].filter((stream) => stream.connected);
    return JSON.stringify({ streams: connected.map(({ call }) => call).toSorted() } satisfies LiveStreams);
  }

  #announceNoMore(): void {
    clearTimeout(this.#announcing);
    this.#announcing = undefined;
  }

  #announce(): void {
    this.#announceNoMore();
    this.#announced = this.#announcement();
    this.#write('live', this.#announced);
  }

  #isUseless(): boolean {
    const now = performance.now();
    if ([...this.#open.values()].some(({ connected }) => connected)) this.#lastUseful = now;
    return now - this.#lastUseful > uselessAfter;
  }

  #sessionOver(): void {
    if (this.#res.writableEnded) return;
    this.#send('session', {});
    this.end();
  }

  #send(event: string, data: object): void {
    this.#write(event, JSON.stringify(data));
  }

  #write(event: string, data: string): void {
    const res = this.#res;
    if (res.writableEnded || res.destroyed) return;
    if (res.writableLength > mostWaiting) return void res.destroy();
    for (const { call, lastId } of this.#open.values()) if (lastId !== undefined) this.#position.set(call, lastId);
    const id = [...this.#position].map(([call, lastId]) => `${call}:${lastId}`).join(',');
    res.write(`${id === '' ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`);
  }
}

/** @param text - the id of an event: `watchAppointments:1790000000000,…`; whatever isn't a position counts as none */
function readPosition(text: string): Map<string, string> {
  const position = new Map<string, string>();
  for (const part of text.split(',').slice(0, mostStreams)) {
    const [, call, id] = /^(\w{1,100}):([\w-]{1,64})$/.exec(part) ?? [];
    if (call !== undefined && id !== undefined) position.set(call, id);
  }
  return position;
}
