import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { defaultAnswerWithinMs, defaultPlan, type CallPlan } from './call-plan.ts';
import { collectFrom, type CollectedAnswer } from './collect.ts';
import { ProxiedRequest, type ProxiedRequestOwner } from './proxied-request.ts';
import type { GatewayRequest } from './gateway-request.ts';
import type { UpstreamMetrics } from '../metrics.ts';
import { isBroken, isUnreachable } from '../replicas/network-errors.ts';
import type { Replica } from '../replicas/replica.ts';
import { ReplicaSet, type ReplicaSetOptions } from '../replicas/replica-set.ts';
import { hasBody, readBody } from './request-body.ts';
import { addressOf, RequestsInFlight } from './in-flight.ts';

/** Why there is no response from the upstream. */
export type FailureReason = 'down' | 'busy' | 'slow' | 'unsuitable' | 'too large';

export interface UpstreamOptions extends Omit<ReplicaSetOptions, 'askReadiness'> {
  readonly askReadiness?: boolean;
  /** These are file servers of a front-end (`front-end-files.ts`). */
  readonly sendsFiles?: boolean;
  /** Send the upstream's own name as Host instead of the one the client sent. */
  readonly changeOrigin?: boolean;
  /** Default time, in milliseconds, within which a response must start; once started, it may take as long as it likes. */
  readonly answerWithinMs?: number;
  /** Requests in flight beyond this are rejected: time spent waiting for a free connection wouldn't be measured. */
  readonly maxInFlight?: number;
  /** Separate limit for event streams. */
  readonly maxStreams?: number;
  /** Number of workers that share these limits, including this one. */
  readonly workers?: number | undefined;
  readonly metrics: UpstreamMetrics;
  /** Answers when the upstream doesn't. @param retryAfter - seconds */
  readonly onFailure: (
    req: GatewayRequest,
    res: ServerResponse,
    reason: FailureReason,
    name: string,
    retryAfter: number,
  ) => void;
}

/** Interval of the timeout check, in milliseconds: a timeout is noticed at most this late. */
const sweepMs = 1000;

/** Milliseconds that a client may leave a response unread. */
const stallLimitMs = 30_000;

/** Maximum bytes of bodies being read at once; they come from clients, and may come slowly. */
const maxBodyBytesAtOnce = 64 * 1024 * 1024;

/** Clients below 10 % of a limit may exceed it by 25 %, so an address that floods locks out only itself. */
const smallPart = 0.1;
const reservedPart = 0.25;

const isFull = (used: number, limit: number, ownUse: () => number): boolean =>
  used > limit && (used > limit * (1 + reservedPart) || ownUse() > limit * smallPart);

/** A group of interchangeable servers behind the gateway. */
export class Upstream implements ProxiedRequestOwner {
  readonly replicas: ReplicaSet;
  readonly #options: UpstreamOptions;
  readonly #requestsInFlight = new RequestsInFlight();
  readonly #streams = new Set<ProxiedRequest>();
  readonly #answerWithinMs: number;
  readonly #log: Logger;
  readonly #sweep: NodeJS.Timeout;
  readonly #limits: { readonly inFlight: number; readonly streams: number; readonly bodyBytes: number };
  #bodyBytes = 0;
  readonly #bodyBytesOf = new Map<string, number>();

  constructor(options: UpstreamOptions) {
    const {
      name,
      log,
      answerWithinMs = defaultAnswerWithinMs,
      metrics,
      maxInFlight = 200,
      maxStreams = 1000,
      workers = 1,
    } = options;
    this.#limits = {
      inFlight: Math.ceil(maxInFlight / workers),
      streams: Math.ceil(maxStreams / workers),
      bodyBytes: maxBodyBytesAtOnce / workers,
    };
    this.#options = options;
    this.#log = log;
    this.#answerWithinMs = answerWithinMs;
    this.replicas = new ReplicaSet({ ...options, askReadiness: options.askReadiness ?? true });
    // One periodic sweep over all requests instead of a timer for each.
    this.#sweep = setInterval(() => this.#checkTimeouts(performance.now()), Math.min(sweepMs, answerWithinMs)).unref();
    metrics.watch(name, this);
  }

  get sendsFiles(): boolean {
    return this.#options.sendsFiles ?? false;
  }

  get inFlight(): number {
    return this.#requestsInFlight.size;
  }

  get openStreams(): number {
    return this.#streams.size;
  }

  /** Forwards a request, and always answers it. */
  send(req: GatewayRequest, res: ServerResponse, plan: CallPlan = defaultPlan(req.method ?? '')): void {
    const { inFlight, streams, bodyBytes } = this.#limits;
    if (
      plan.stream
        ? this.#streams.size >= streams
        : isFull(this.#requestsInFlight.size + 1, inFlight, () => this.#requestsInFlight.countOf(req) + 1)
    )
      return this.#fail(req, res, 'busy');
    if (!hasBody(req)) return this.#begin(req, res, plan, null);
    const bytes = Math.min(Number(req.headers['content-length'] ?? Infinity), plan.maxBodyBytes);
    const address = addressOf(req);
    if (isFull(this.#bodyBytes + bytes, bodyBytes, () => (this.#bodyBytesOf.get(address) ?? 0) + bytes))
      return this.#fail(req, res, 'busy');
    this.#countBody(address, bytes);
    readBody(req, res, plan.maxBodyBytes, (outcome) => {
      this.#countBody(address, -bytes);
      if (outcome === 'too large') this.#fail(req, res, 'too large');
      else if (outcome !== 'gone') this.#begin(req, res, plan, outcome);
    });
  }

  /** Requests something on behalf of every visitor, see {@link collectFrom}. */
  collect(path: string, req: GatewayRequest, maxBytes: number): Promise<CollectedAnswer | 'slow' | undefined> {
    const replica = this.replicas.pick(performance.now(), undefined, true);
    return replica ? collectFrom(replica, path, req, maxBytes, this.#answerWithinMs) : Promise.resolve(undefined);
  }

  /** Answers in place of the upstream. */
  refuse(req: GatewayRequest, res: ServerResponse, reason: FailureReason): void {
    this.#fail(req, res, reason);
  }

  /** Before a stop: responses that haven't started will close their connections, and event streams end, so that clients reconnect elsewhere. */
  prepareToStop(): void {
    this.#requestsInFlight.forEach((_req, res) => (res.shouldKeepAlive = false));
    for (const proxied of this.#streams) {
      proxied.giveUp();
      proxied.res.end();
    }
  }

  async destroy(): Promise<void> {
    clearInterval(this.#sweep);
    await this.replicas.destroy();
  }

  #countBody(address: string, bytes: number): void {
    this.#bodyBytes += bytes;
    const left = (this.#bodyBytesOf.get(address) ?? 0) + bytes;
    if (left > 0) this.#bodyBytesOf.set(address, left);
    else this.#bodyBytesOf.delete(address);
  }

  #begin(req: GatewayRequest, res: ServerResponse, plan: CallPlan, body: Buffer | null): void {
    const { headers } = req;
    // The body is complete, so its length is known and 100 Continue isn't needed.
    headers['content-length'] = headers['transfer-encoding'] = headers.expect = undefined;
    if (this.#options.changeOrigin) headers.host = undefined;
    const proxied = new ProxiedRequest(
      this,
      req,
      res,
      plan,
      body,
      performance.now() + (plan.answerWithinMs ?? this.#answerWithinMs),
    );
    req.proxied = proxied;
    if (plan.stream) {
      this.#streams.add(proxied);
      res.once('close', () => {
        this.#streams.delete(proxied);
        proxied.giveUp();
      });
    } else {
      this.#requestsInFlight.add(req, res);
    }
    this.#next(proxied);
  }

  /** Sends it to the next replica. */
  #next(proxied: ProxiedRequest, error?: Error): void {
    const { req, res, plan, tried } = proxied;
    const replica = this.replicas.pick(performance.now(), tried, plan.safe);
    if (replica) proxied.sendTo(replica);
    else this.#fail(req, res, 'down', error);
  }

  answered({ replica }: ProxiedRequest, closesConnection: boolean): void {
    if (!replica) return;
    replica.breaker.succeeded();
    if (closesConnection) this.replicas.suspect(replica);
  }

  left({ replica, over }: ProxiedRequest): void {
    if (over) replica?.breaker.abandonTrial();
  }

  /** During a deployment, one server may have a file that another doesn't have yet, or no longer has. */
  notFound(proxied: ProxiedRequest): Replica | undefined {
    const { replica, plan, tried = [] } = proxied;
    if (!this.sendsFiles || !plan.safe || !replica) return undefined;
    const asked = [...tried, replica];
    if (!this.replicas.all.some((other) => other.readiness === 'ready' && !asked.includes(other))) return undefined;
    const other = this.replicas.pick(performance.now(), asked, plan.safe);
    if (!other) return undefined;
    proxied.tried = asked;
    this.#options.metrics.retried(this.#options.name);
    return other;
  }

  failed(proxied: ProxiedRequest, error: Error): void {
    const { req, res, replica, plan, tried = [] } = proxied;
    if (res.headersSent || !replica) return void res.destroy();
    const now = performance.now();
    const unreachable = isUnreachable(error);
    if (unreachable) this.replicas.lost(replica);
    else replica.breaker.failed(now);
    if ('code' in error && error.code === 'UND_ERR_INVALID_ARG') return this.#fail(req, res, 'unsuitable', error);
    // If nothing was sent, any request may be retried on another replica. Otherwise only a safe one, and only once.
    const again = unreachable
      ? tried.length < this.replicas.all.length
      : plan.safe && isBroken(error) && tried.length === 0;
    if (!again) return this.#fail(req, res, 'down', error);
    this.#options.metrics.retried(this.#options.name);
    proxied.tried = [...tried, replica];
    const other = this.replicas.pick(now, proxied.tried, plan.safe);
    // A kept-alive connection that closed at that moment says nothing about the server.
    const next = other ?? (!unreachable && replica.breaker.allows(now) ? replica : undefined);
    if (next) proxied.sendTo(next);
    else this.#fail(req, res, 'down', error);
  }

  #fail(req: GatewayRequest, res: ServerResponse, reason: FailureReason, error?: Error): void {
    const { name, metrics, onFailure } = this.#options;
    const { proxied } = req;
    if (proxied) proxied.over = true;
    metrics.failed(name, reason);
    if (res.writableEnded || res.destroyed) return;
    this.#log.warn(
      { upstream: name, replica: proxied?.replica?.name, reason, requestId: req.requestId, err: error },
      'no response from upstream',
    );
    onFailure(req, res, reason, name, reason === 'down' ? this.replicas.retryAfter(performance.now()) : 1);
  }

  #checkTimeouts(now: number): void {
    const check = (proxied: ProxiedRequest): void => {
      if (proxied.deadline <= now) {
        proxied.deadline = Infinity;
        proxied.replica?.breaker.failed(now);
        this.#fail(proxied.req, proxied.res, 'slow');
        proxied.giveUp();
      } else if (now - proxied.stalledSince > stallLimitMs) {
        proxied.res.destroy();
      }
    };
    this.#requestsInFlight.forEach(({ proxied }) => proxied && check(proxied));
    this.#streams.forEach(check);
  }
}
