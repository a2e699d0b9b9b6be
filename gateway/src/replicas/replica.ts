import {
  request,
  type Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestOptions,
} from 'node:http';
import { request as secureRequest } from 'node:https';
import { openConnections } from './connections.ts';

/** Result of a replica's last readiness check. */
export type Readiness = 'unknown' | 'ready' | 'not ready';

/** One of the gateway's own requests. */
export interface ReplicaRequest {
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  /** Makes it a POST. */
  readonly body?: string | undefined;
  /** Milliseconds until the whole response must be there. */
  readonly withinMs: number;
}

export interface ReplicaResponse {
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

/** Maximum size of a response, in characters. */
const maxLength = 1024 * 1024;

/** Failures in a row after which a replica is left out although it reports ready. */
const mostFailures = 5;

/** Milliseconds that it is left out at first; doubled with each failure after that. */
const leftOutAtFirst = 1_000;
const leftOutAtMost = 15_000;

/** One of the interchangeable servers behind a name, with its own connections. */
export class Replica {
  /** For logs and metrics: host and port, and the IP address if it was resolved from a name. */
  readonly name: string;
  /** Host and port, as the upstream expects them. */
  readonly host: string;
  readonly target: URL;
  readonly agent: Agent;
  inFlight = 0;
  readiness: Readiness = 'unknown';
  /** Why it isn't ready. */
  reason = '';
  /** Its last poll. */
  polled = Promise.resolve();
  #failures = 0;
  /** `performance.now()` until which it gets no requests; 0 if it gets them. */
  #leftOutUntil = 0;

  /** @param ip - the host name's IP address to use; `undefined` if the URL already has an IP address */
  constructor(url: string, ip?: string) {
    this.target = new URL(url);
    this.host = this.target.host;
    this.name = ip === undefined ? this.host : `${this.host} (${ip})`;
    this.agent = openConnections(this.target, ip);
  }

  get isLeftOut(): boolean {
    return this.#leftOutUntil > 0;
  }

  /** Milliseconds until it gets a request again. */
  waitFor(now: number): number {
    return Math.max(0, this.#leftOutUntil - now);
  }

  /** It was left out, and the next request tries it again. */
  isDue(now: number): boolean {
    return this.isLeftOut && now >= this.#leftOutUntil;
  }

  /** Call this with the request that tries it again: others wait for the outcome. */
  beginTrial(now: number): void {
    this.#leaveOut(now);
  }

  /** It responded. */
  succeeded(): void {
    this.#failures = 0;
    this.#leftOutUntil = 0;
  }

  /** It broke a connection or timed out. */
  failed(now: number): void {
    this.#failures += 1;
    if (this.#failures >= mostFailures) this.#leaveOut(now);
  }

  /** Nothing is listening: one attempt is proof enough. */
  refused(now: number): void {
    if (!this.isLeftOut) this.#leaveOut(now);
  }

  /** A health check passed: if connections were refused, it is back. Its requests may still fail. */
  reachable(): void {
    if (this.#failures < mostFailures) this.#leftOutUntil = 0;
  }

  /** Sends one of the gateway's own requests. @throws Error if no whole response comes in time */
  ask({ path, headers = {}, body, withinMs }: ReplicaRequest): Promise<ReplicaResponse> {
    const signal = AbortSignal.timeout(withinMs);
    const outgoing = this.open(path, { headers, signal, method: body === undefined ? 'GET' : 'POST' });
    return new Promise((resolve, reject) => {
      outgoing.on('response', (incoming) => void readResponse(incoming).then(resolve, reject));
      outgoing.on('error', reject).end(body);
    });
  }

  /** Begins a request. */
  open(path: string, options: RequestOptions): ClientRequest {
    const begin = this.target.protocol === 'https:' ? secureRequest : request;
    return begin(new URL(path, this.target), { ...options, agent: this.agent });
  }

  /** Closes each connection once its request is done. */
  close(): void {
    this.agent.maxFreeSockets = 0;
    for (const socket of Object.values(this.agent.freeSockets).flat()) socket?.destroy();
  }

  #leaveOut(now: number): void {
    const times = Math.max(0, this.#failures - mostFailures);
    this.#leftOutUntil = now + Math.min(leftOutAtFirst * 2 ** times, leftOutAtMost);
  }
}

async function readResponse(incoming: IncomingMessage): Promise<ReplicaResponse> {
  let text = '';
  for await (const chunk of incoming.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk;
    if (text.length > maxLength) throw new Error('the response is too long');
  }
  return { status: incoming.statusCode ?? 0, text, headers: incoming.headers };
}
