import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { defaultAnswerWithinMs, defaultPlan, type CallPlan } from './call-plan.ts';
import { collectFrom, type CollectedAnswer } from './collect.ts';
import { Exchange, type ExchangeOwner } from './exchange.ts';
import type { GatewayRequest } from './gateway-request.ts';
import type { UpstreamMetrics } from './metrics.ts';
import { isBroken, isUnreachable } from './replicas/network-errors.ts';
import type { Replica } from './replicas/replica.ts';
import { ReplicaSet, type ReplicaSetOptions } from './replicas/replica-set.ts';
import { hasBody, readBody } from './request-body.ts';
import { addressOf, UnderWay } from './under-way.ts';

/** Why there is no answer from behind. */
export type FailureReason = 'down' | 'busy' | 'slow' | 'unsuitable' | 'too large';

export interface UpstreamOptions extends Omit<ReplicaSetOptions, 'askReadiness'> {
  readonly askReadiness?: boolean;
  /** These are servers of a front-end's files (`front-end-files.ts`). */
  readonly sendsFiles?: boolean;
  /** Send the upstream's own name as Host instead of the one the client asked for. */
  readonly changeOrigin?: boolean;
  /** Milliseconds until an answer must have begun, where its plan says nothing else; a begun answer may go on for as long as it likes. */
  readonly answerWithinMs?: number;
  /** More requests at once than this are refused: waiting for a free connection would be uncounted time. */
  readonly maxInFlight?: number;
  /** Event streams have a limit of their own. */
  readonly maxStreams?: number;
  /** Workers that these limits are divided among, this one included. */
  readonly workers?: number | undefined;
  readonly metrics: UpstreamMetrics;
  /** Gives the answer when there is none from the upstream. @param retryAfter - seconds */
  readonly onFailure: (req: GatewayRequest, res: ServerResponse, reason: FailureReason, name: string, retryAfter: number) => void;
}

/** Longest time, in milliseconds, by which a slow answer is noticed late. */
const sweepMs = 1000;

/** Milliseconds that a client may leave an answer unread. */
const stallLimitMs = 30_000;

/** Most bytes of bodies that are being read at once; they come from clients, and may come slowly. */
const maxBodyBytesAtOnce = 64 * 1024 * 1024;

/** Who holds less of a limit than the first part of it may go beyond by the second: one address that floods keeps itself out, not everybody. */
const smallPart = 0.1;
const reservedPart = 0.25;

const isFull = (used: number, limit: number, ownUse: () => number): boolean => used > limit && (used > limit * (1 + reservedPart) || ownUse() > limit * smallPart);

/** A group of equal servers behind the gateway. */
export class Upstream implements ExchangeOwner {
  readonly replicas: ReplicaSet;
  readonly #options: UpstreamOptions;
  readonly #underWay = new UnderWay();
  readonly #streams = new Set<Exchange>();
  readonly #answerWithinMs: number;
  readonly #log: Logger;
  readonly #sweep: NodeJS.Timeout;
  readonly #limits: { readonly inFlight: number; readonly streams: number; readonly bodyBytes: number };
  #bodyBytes = 0;
  readonly #bodyBytesOf = new Map<string, number>();

  constructor(options: UpstreamOptions) {
    const { name, log, answerWithinMs = defaultAnswerWithinMs, metrics, maxInFlight = 200, maxStreams = 1000, workers = 1 } = options;
    this.#limits = { inFlight: Math.ceil(maxInFlight / workers), streams: Math.ceil(maxStreams / workers), bodyBytes: maxBodyBytesAtOnce / workers };
    this.#options = options;
    this.#log = log;
    this.#answerWithinMs = answerWithinMs;
    this.replicas = new ReplicaSet({ ...options, askReadiness: options.askReadiness ?? true });
    // One look at all requests from time to time, instead of a timer for each.
    this.#sweep = setInterval(() => this.#lookAtAll(performance.now()), Math.min(sweepMs, answerWithinMs)).unref();
    metrics.watch(name, this);
  }

  get sendsFiles(): boolean {
    return this.#options.sendsFiles ?? false;
  }

  get inFlight(): number {
    return this.#underWay.size;
  }

  get openStreams(): number {
    return this.#streams.size;
  }

  /** Sends a request on; the answer is given in any case. */
  send(req: GatewayRequest, res: ServerResponse, plan: CallPlan = defaultPlan(req.method ?? '')): void {
    const { inFlight, streams, bodyBytes } = this.#limits;
    if (plan.stream ? this.#streams.size >= streams : isFull(this.#underWay.size + 1, inFlight, () => this.#underWay.countOf(req) + 1)) return this.#fail(req, res, 'busy');
    if (!hasBody(req)) return this.#begin(req, res, plan, null);
    const bytes = Math.min(Number(req.headers['content-length'] ?? Infinity), plan.maxBodyBytes);
    const address = addressOf(req);
    if (isFull(this.#bodyBytes + bytes, bodyBytes, () => (this.#bodyBytesOf.get(address) ?? 0) + bytes)) return this.#fail(req, res, 'busy');
    this.#countBody(address, bytes);
    readBody(req, res, plan.maxBodyBytes, (outcome) => {
      this.#countBody(address, -bytes);
      if (outcome === 'too large') this.#fail(req, res, 'too large');
      else if (outcome !== 'gone') this.#begin(req, res, plan, outcome);
    });
  }

  /** Asks for something in the name of everybody, see {@link collectFrom}. */
  collect(path: string, req: GatewayRequest, maxBytes: number): Promise<CollectedAnswer | 'slow' | undefined> {
    const replica = this.replicas.pick(performance.now(), undefined, true);
    return replica ? collectFrom(replica, path, req, maxBytes, this.#answerWithinMs) : Promise.resolve(undefined);
  }

  /** Answers in the place of the upstream. */
  refuse(req: GatewayRequest, res: ServerResponse, reason: FailureReason): void {
    this.#fail(req, res, reason);
  }

  /** For a stop: answers that have not begun are the last ones of their connections, and event streams end; clients come again, to somebody else. */
  prepareToStop(): void {
    this.#underWay.forEach((_req, res) => (res.shouldKeepAlive = false));
    for (const exchange of this.#streams) {
      exchange.giveUp();
      exchange.res.end();
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
    // The body is whole: its length is known, and nobody has to be asked for it.
    headers['content-length'] = headers['transfer-encoding'] = headers.expect = undefined;
    if (this.#options.changeOrigin) headers.host = undefined;
    const exchange = new Exchange(this, req, res, plan, body, performance.now() + (plan.answerWithinMs ?? this.#answerWithinMs));
    req.exchange = exchange;
    if (plan.stream) {
      this.#streams.add(exchange);
      res.once('close', () => {
        this.#streams.delete(exchange);
        exchange.giveUp();
      });
    } else {
      this.#underWay.add(req, res);
    }
    this.#next(exchange);
  }

  /** Sends it to the one whose turn it is. */
  #next(exchange: Exchange, error?: Error): void {
    const { req, res, plan, tried } = exchange;
    const replica = this.replicas.pick(performance.now(), tried, plan.safe);
    if (replica) exchange.sendTo(replica);
    else this.#fail(req, res, 'down', error);
  }

  answered({ replica }: Exchange, closesConnection: boolean): void {
    if (!replica) return;
    replica.breaker.succeeded();
    if (closesConnection) this.replicas.suspect(replica);
  }

  left({ replica, over }: Exchange): void {
    if (over) replica?.breaker.abandonTrial();
  }

  /** While a front-end is being replaced, one server may have a file that another one doesn't have yet, or any more. */
  notFound(exchange: Exchange): Replica | undefined {
    const { replica, plan, tried = [] } = exchange;
    if (!this.sendsFiles || !plan.safe || !replica) return undefined;
    const asked = [...tried, replica];
    if (!this.replicas.all.some((other) => other.readiness === 'ready' && !asked.includes(other))) return undefined;
    const other = this.replicas.pick(performance.now(), asked, plan.safe);
    if (!other) return undefined;
    exchange.tried = asked;
    this.#options.metrics.retried(this.#options.name);
    return other;
  }

  failed(exchange: Exchange, error: Error): void {
    const { req, res, replica, plan, tried = [] } = exchange;
    if (res.headersSent || !replica) return void res.destroy();
    const now = performance.now();
    const unreachable = isUnreachable(error);
    if (unreachable) this.replicas.lost(replica);
    else replica.breaker.failed(now);
    if ('code' in error && error.code === 'UND_ERR_INVALID_ARG') return this.#fail(req, res, 'unsuitable', error);
    // Nothing was sent: any request may go to another one. Else only one that changes nothing, and only once.
    const again = unreachable ? tried.length < this.replicas.all.length : plan.safe && isBroken(error) && tried.length === 0;
    if (!again) return this.#fail(req, res, 'down', error);
    this.#options.metrics.retried(this.#options.name);
    exchange.tried = [...tried, replica];
    const other = this.replicas.pick(now, exchange.tried, plan.safe);
    // A kept connection that just then was closed says nothing of the server.
    const next = other ?? (!unreachable && replica.breaker.allows(now) ? replica : undefined);
    if (next) exchange.sendTo(next);
    else this.#fail(req, res, 'down', error);
  }

  #fail(req: GatewayRequest, res: ServerResponse, reason: FailureReason, error?: Error): void {
    const { name, metrics, onFailure } = this.#options;
    const { exchange } = req;
    if (exchange) exchange.over = true;
    metrics.failed(name, reason);
    if (res.writableEnded || res.destroyed) return;
    this.#log.warn({ upstream: name, replica: exchange?.replica?.name, reason, requestId: req.requestId, err: error }, 'no answer from upstream');
    onFailure(req, res, reason, name, reason === 'down' ? this.replicas.retryAfter(performance.now()) : 1);
  }

  #lookAtAll(now: number): void {
    const look = (exchange: Exchange): void => {
      if (exchange.deadline <= now) {
        exchange.deadline = Infinity;
        exchange.replica?.breaker.failed(now);
        this.#fail(exchange.req, exchange.res, 'slow');
        exchange.giveUp();
      } else if (now - exchange.stalledSince > stallLimitMs) {
        exchange.res.destroy();
      }
    };
    this.#underWay.forEach(({ exchange }) => exchange && look(exchange));
    this.#streams.forEach(look);
  }
}
