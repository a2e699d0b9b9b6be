import type { ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import type { CallPlan } from './call-plan.ts';
import type { GatewayRequest } from './gateway-request.ts';
import { fileAnswerHeaders, fileRequestHeaders } from './front-end-files.ts';
import { answerHeaders } from './headers.ts';
import type { Replica } from './replicas/replica.ts';

/** Whom an exchange tells how it goes. */
export interface ExchangeOwner {
  /** Whether these are servers of front-ends' files, which get and set only what files need. */
  readonly sendsFiles: boolean;
  /** No answer came. @returns whether it was sent to another one */
  failed(exchange: Exchange, error: Error): void;
  /** An answer begins. */
  answered(exchange: Exchange, closesConnection: boolean): void;
  /** Over in any way: its replica is free of it. Called once for each time it was sent. */
  left(exchange: Exchange): void;
  /** It has no such file. @returns another replica that may have it */
  notFound(exchange: Exchange): Replica | undefined;
}

/**
 * A request that has been sent on, and its answer on the way back: what undici calls as things happen. One object for
 * each request, without closures: it is the hottest place of the gateway.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly req: GatewayRequest;
  readonly res: ServerResponse;
  readonly plan: CallPlan;
  readonly body: Buffer | null;
  readonly #owner: ExchangeOwner;
  replica: Replica | undefined;
  /** Those that did not answer. */
  tried: Replica[] | undefined;
  /** `performance.now()` after which it counts as slow; infinity once the answer has begun. */
  deadline: number;
  /** `performance.now()` since when the client has not read what it asked for; infinity while it reads. */
  stalledSince = Infinity;
  /** Answered by us, or its client is gone: whatever comes from behind is of no use any more. */
  over = false;
  #abort: ((error?: Error) => void) | undefined;
  #resume: (() => void) | undefined;
  #drain: (() => void) | undefined;
  #sent = false;
  /** Who is asked next, once the answer that is being read over has ended. */
  #next: Replica | undefined;

  constructor(owner: ExchangeOwner, req: GatewayRequest, res: ServerResponse, plan: CallPlan, body: Buffer | null, deadline: number) {
    this.#owner = owner;
    this.req = req;
    this.res = res;
    this.plan = plan;
    this.body = body;
    this.deadline = deadline;
  }

  /** Sends it to a replica. */
  sendTo(replica: Replica): void {
    this.replica = replica;
    this.#sent = true;
    replica.inFlight += 1;
    const { req, body } = this;
    const headers = this.#owner.sendsFiles ? fileRequestHeaders(req.headers) : req.headers;
    const pool = this.plan.stream ? replica.streams : replica.calls;
    // Without `reset` undici would close the connection after HEAD, and after bodies where none is usual.
    pool.dispatch({ path: req.url ?? '/', method: (req.method ?? 'GET') as Dispatcher.HttpMethod, headers, body, reset: false }, this);
  }

  /** Gives it up: the client is gone, or has been answered by us. */
  giveUp(): void {
    this.over = true;
    this.#abort?.();
  }

  onConnect(abort: (error?: Error) => void): void {
    this.#abort = abort;
    if (this.over) abort();
  }

  onHeaders(status: number, raw: Buffer[], resume: () => void, statusText: string): boolean {
    // Such as 103: only the final one is passed on.
    if (status < 200 || this.over) return true;
    const { res, req } = this;
    const rawHeaders: string[] = [];
    let closes = false;
    for (let i = 0; i + 1 < raw.length; i += 2) {
      const name = raw[i]?.toString('latin1') ?? '';
      const value = raw[i + 1]?.toString('latin1') ?? '';
      if (name.length === 10 && name.toLowerCase() === 'connection') closes = value.toLowerCase().includes('close');
      rawHeaders.push(name, value);
    }
    this.#owner.answered(this, closes);
    this.#next = status === 404 ? this.#owner.notFound(this) : undefined;
    if (this.#next) return true;
    this.deadline = Infinity;
    this.#resume = resume;
    const toSend = this.#owner.sendsFiles ? fileAnswerHeaders : answerHeaders;
    res.writeHead(status, statusText, toSend({ rawHeaders, statusCode: status }, res, req));
    if (status === 204 || status === 304) {
      // These end here, whatever length they name (RFC 9112, section 6.3).
      this.over = true;
      res.end();
    } else if (this.plan.stream) {
      res.flushHeaders();
    }
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (this.over || this.#next || this.res.write(chunk)) return true;
    this.stalledSince = performance.now();
    this.#drain ??= () => {
      this.stalledSince = Infinity;
      this.#resume?.();
    };
    this.res.once('drain', this.#drain);
    return false;
  }

  onComplete(): void {
    this.#leave();
    if (this.over) return;
    const next = this.#next;
    if (next) {
      this.#next = undefined;
      return this.sendTo(next);
    }
    this.over = true;
    this.res.end();
  }

  onError(error: Error): void {
    this.#leave();
    if (!this.over) this.#owner.failed(this, error);
  }

  #leave(): void {
    if (!this.#sent) return;
    this.#sent = false;
    this.#abort = undefined;
    if (this.replica) this.replica.inFlight -= 1;
    this.#owner.left(this);
  }
}
