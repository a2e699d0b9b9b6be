import type { ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import type { CallPlan } from './call-plan.ts';
import type { GatewayRequest } from './gateway-request.ts';
import { fileAnswerHeaders, fileRequestHeaders } from './front-end-files.ts';
import { answerHeaders } from './headers.ts';
import type { Replica } from '../replicas/replica.ts';

/** Callbacks of a proxied request. */
export interface ProxiedRequestOwner {
  /** Whether these are file servers of front-ends, whose headers are restricted in both directions. */
  readonly sendsFiles: boolean;
  /** No response came. Retries it on another replica, or answers it. */
  failed(proxied: ProxiedRequest, error: Error): void;
  /** A response has started. */
  answered(proxied: ProxiedRequest, closesConnection: boolean): void;
  /** This attempt is over, however it ended, and its replica is free. Called once per attempt. */
  left(proxied: ProxiedRequest): void;
  /** The replica answered 404. @returns another replica that may have the file */
  notFound(proxied: ProxiedRequest): Replica | undefined;
}

/**
 * A forwarded request and its response, as undici's dispatch handler. One object per request and no closures: this is the
 * gateway's hottest code.
 */
export class ProxiedRequest implements Dispatcher.DispatchHandler {
  readonly req: GatewayRequest;
  readonly res: ServerResponse;
  readonly plan: CallPlan;
  readonly body: Buffer | null;
  readonly #owner: ProxiedRequestOwner;
  replica: Replica | undefined;
  /** Replicas that failed or had no such file. */
  tried: Replica[] | undefined;
  /** `performance.now()` after which it has timed out; infinity once the response has started. */
  deadline: number;
  /** `performance.now()` at which the client stopped reading; infinity while it reads. */
  stalledSince = Infinity;
  /** We answered, or the client is gone: ignore whatever the upstream still sends. */
  over = false;
  #abort: ((error?: Error) => void) | undefined;
  #resume: (() => void) | undefined;
  #drain: (() => void) | undefined;
  #sent = false;
  /** The replica to try next, once the 404 response has been drained. */
  #next: Replica | undefined;

  constructor(
    owner: ProxiedRequestOwner,
    req: GatewayRequest,
    res: ServerResponse,
    plan: CallPlan,
    body: Buffer | null,
    deadline: number,
  ) {
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
    // Without `reset`, undici would close the connection after HEAD and after bodies on methods that usually have none.
    pool.dispatch(
      { path: req.url ?? '/', method: (req.method ?? 'GET') as Dispatcher.HttpMethod, headers, body, reset: false },
      this,
    );
  }

  /** Abandons it: the client is gone, or we have answered. */
  giveUp(): void {
    this.over = true;
    this.#abort?.();
  }

  onConnect(abort: (error?: Error) => void): void {
    this.#abort = abort;
    if (this.over) abort();
  }

  onHeaders(status: number, raw: Buffer[], resume: () => void, statusText: string): boolean {
    // An interim response such as 103: only the final one is forwarded.
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
      // These have no body, whatever Content-Length says (RFC 9112, section 6.3).
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
