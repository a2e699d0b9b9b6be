import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { defaultAnswerWithinMs, defaultPlan, type CallPlan } from './call-plan.ts';
import type { Collect } from './collect.ts';
import { fileRequestHeaders } from './file-headers.ts';
import { serviceRequestHeaders, sharedRequestHeaders } from './headers.ts';
import { ProxiedRequest, type ProxiedRequestOwner } from './proxied-request.ts';
import type { Forwarding, GatewayRequest } from './gateway-request.ts';
import type { UpstreamMetrics } from '../metrics.ts';
import { isBroken, isUnreachable, isUnsuitable } from '../replicas/network-errors.ts';
import type { Replica } from '../replicas/replica.ts';
import { ReplicaSet, type ReplicaSetOptions } from '../replicas/replica-set.ts';
import { hasBody, readBody } from './request-body.ts';
import { RequestsInFlight } from './in-flight.ts';

/** Why there is no response from the upstream. */
export type FailureReason = 'down' | 'busy' | 'slow' | 'unsuitable' | 'too large';

export interface UpstreamOptions extends Omit<ReplicaSetOptions, 'pollReadiness'> {
  readonly pollReadiness?: boolean;
  /** These are file servers of a front-end (`file-headers.ts`). */
  readonly sendsFiles?: boolean;
  /** Send the upstream's own name as Host instead of the one the client sent. */
  readonly changeOrigin?: boolean;
  /** Names of all services, for svc-identity, separated by commas. */
  readonly audiences?: string;
  /**
   * Default time, in milliseconds, within which a response must start; once started, it may take as long as it likes.
   */
  readonly answerWithinMs?: number;
  /** Requests in flight beyond this are rejected: time spent waiting for a free connection wouldn't be measured. */
  readonly maxInFlight?: number;
  /** Separate limit for event streams. */
  readonly maxStreams?: number;
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
    } = options;
    this.#limits = {
      inFlight: maxInFlight,
      streams: maxStreams,
      bodyBytes: maxBodyBytesAtOnce,
    };
    this.#options = options;
    this.#log = log;
    this.#answerWithinMs = answerWithinMs;
    this.replicas = new ReplicaSet({ ...options, pollReadiness: options.pollReadiness ?? true });
    // One periodic sweep over all requests instead of a timer for each.
    this.#sweep = setInterval(() => this.#checkTimeouts(performance.now()), Math.min(sweepMs, answerWithinMs)).unref();
    metrics.watch(name, this);
  }

  get name(): string {
    return this.#options.name;
  }

  get sendsFiles(): boolean {
    return this.#options.sendsFiles ?? false;
  }

  get changeOrigin(): boolean {
    return this.#options.changeOrigin ?? false;
  }

  get inFlight(): number {
    return this.#requestsInFlight.size;
  }

  get openStreams(): number {
    return this.#streams.size;
  }

  /**
   * Forwards a request and always responds.
   *
   * @param collect - receives a good response for everyone who waits for it; a failure goes to this client
   */
  send(
    req: GatewayRequest,
    res: ServerResponse,
    plan: CallPlan = defaultPlan(req.method ?? ''),
    collect?: Collect,
  ): void {
    const { inFlight, streams, bodyBytes } = this.#limits;
    if (
      plan.stream
        ? this.#streams.size >= streams
        : isFull(this.#requestsInFlight.size + 1, inFlight, () => this.#requestsInFlight.countOf(req) + 1)
    )
      return this.#fail(req, res, 'busy', undefined, collect);
    if (collect || !hasBody(req)) return this.#begin(req, res, plan, null, collect);
    const bytes = Math.min(Number(req.headers['content-length'] ?? Infinity), plan.maxBodyBytes);
    const { address } = req.origin;
    if (isFull(this.#bodyBytes + bytes, bodyBytes, () => (this.#bodyBytesOf.get(address) ?? 0) + bytes))
      return this.#fail(req, res, 'busy');
    this.#countBody(address, bytes);
    readBody(req, res, plan.maxBodyBytes, (outcome) => {
      this.#countBody(address, -bytes);
      if (outcome === 'too large') this.#fail(req, res, 'too large');
      else if (outcome !== 'gone') this.#begin(req, res, plan, outcome);
    });
  }

  /** Answers in place of the upstream. */
  reject(req: GatewayRequest, res: ServerResponse, reason: FailureReason): void {
    this.#fail(req, res, reason);
  }

  /**
   * Before a stop: responses that haven't started will close their connections, and event streams end, so that clients
   * reconnect elsewhere.
   */
  prepareToStop(): void {
    this.#requestsInFlight.forEach((_req, res) => (res.shouldKeepAlive = false));
    // Ending them also closes their connections to the upstream.
    for (const proxied of this.#streams) {
      proxied.over = true;
      proxied.res.end();
    }
  }

  destroy(): void {
    clearInterval(this.#sweep);
    this.replicas.destroy();
  }

  #countBody(address: string, bytes: number): void {
    this.#bodyBytes += bytes;
    const left = (this.#bodyBytesOf.get(address) ?? 0) + bytes;
    if (left > 0) this.#bodyBytesOf.set(address, left);
    else this.#bodyBytesOf.delete(address);
  }

  #begin(req: GatewayRequest, res: ServerResponse, plan: CallPlan, body: Buffer | null, collect?: Collect): void {
    if (this.sendsFiles) req.headers = fileRequestHeaders(req);
    else if (collect) req.headers = sharedRequestHeaders(req);
    else req.headers = serviceRequestHeaders(req, body?.length, this.name, this.#options.audiences);
    const deadline = performance.now() + (plan.answerWithinMs ?? this.#answerWithinMs);
    const proxied = new ProxiedRequest(this, req, res, plan, body, deadline, collect);
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

  /** Sends the request to the next replica. */
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
    const without = [...tried, replica];
    if (!this.replicas.all.some((other) => other.readiness === 'ready' && !without.includes(other))) return undefined;
    const other = this.replicas.pick(performance.now(), without, plan.safe);
    if (!other) return undefined;
    proxied.tried = without;
    this.#options.metrics.retried(this.#options.name);
    return other;
  }

  failed(proxied: ProxiedRequest, error: Error): void {
    const { req, res, replica, plan, tried = [] } = proxied;
    if (res.headersSent || !replica) return void res.destroy();
    if (isUnsuitable(error)) {
      replica.breaker.abandonTrial();
      return this.#fail(req, res, 'unsuitable', error);
    }
    const now = performance.now();
    const unreachable = isUnreachable(error);
    if (unreachable) this.replicas.lost(replica);
    else replica.breaker.failed(now);
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

  #fail(req: GatewayRequest, res: ServerResponse, reason: FailureReason, error?: Error, collect?: Collect): void {
    const { name, metrics, onFailure } = this.#options;
    const { proxied } = req;
    if (proxied) proxied.over = true;
    metrics.failed(name, reason);
    if (res.writableEnded || res.destroyed) {
      proxied?.settle(undefined);
      return;
    }
    this.#log.warn(
      { upstream: name, replica: proxied?.replica?.name, reason, requestId: req.requestId, err: error },
      'no response from upstream',
    );
    onFailure(req, res, reason, name, reason === 'down' ? this.replicas.retryAfter(performance.now()) : 1);
    proxied?.settle(reason === 'slow' ? 'slow' : undefined);
    collect?.(undefined);
  }

  #checkTimeouts(now: number): void {
    const check = (proxied: Forwarding): void => {
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
