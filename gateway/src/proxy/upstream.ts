import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { fileRequestHeaders } from '../files/file-headers.ts';
import type { Metrics } from '../operators/metrics.ts';
import type { Answer } from '../replicas/read-answer.ts';
import type { Question } from '../replicas/replica.ts';
import { ReplicaSet, type ReplicaSetOptions } from '../replicas/replica-set.ts';
import { sendProblem } from '../server/answers.ts';
import type { Forwarding, GatewayRequest } from '../server/gateway-request.ts';
import { defaultAnswerWithinMs, defaultPlan, type CallPlan } from './call-plan.ts';
import { FairLimit } from './fair-limit.ts';
import { Forwarder, type FailureReason, type ForwardOptions } from './forward.ts';
import { serviceRequestHeaders } from './headers.ts';
import { hasBody, readBody, ReadBody } from '../server/request-body.ts';

export interface UpstreamOptions extends ReplicaSetOptions, ForwardOptions {
  /** Names of all services, for svc-identity, separated by commas. */
  readonly audiences?: string;
  /** Default time, in milliseconds, within which a response must start; once started, it may take as long as it likes. */
  readonly answerWithinMs?: number | undefined;
  readonly metrics: Pick<Metrics, 'retried' | 'failed'>;
  readonly log: Logger;
  /** Answers when the upstream doesn't; default: a problem. */
  readonly onFailure?: (req: GatewayRequest, res: ServerResponse) => void;
}

/** Requests in flight and event streams. More would only wait, and that time wouldn't be measured. */
const mostInFlight = 200;
const mostStreams = 1000;

/** Bytes of bodies being read at once; they come from clients, and may come slowly. */
const mostBodyBytes = 64 * 1024 * 1024;

const details: Readonly<Partial<Record<FailureReason, string>>> = {
  down: 'isn’t responding',
  busy: 'is busy',
  slow: 'is taking too long to respond',
};

/** A group of interchangeable servers behind the gateway. */
export class Upstream {
  readonly replicas: ReplicaSet;
  readonly #options: UpstreamOptions;
  readonly #inFlight = new FairLimit(mostInFlight);
  readonly #streams = new FairLimit(mostStreams);
  readonly #bodyBytes = new FairLimit(mostBodyBytes);
  readonly #openStreams = new Set<ServerResponse>();
  readonly #forwarder: Forwarder;
  /** While stopping, responses close their connections. */
  isStopping = false;

  constructor(options: UpstreamOptions) {
    this.#options = options;
    this.replicas = new ReplicaSet(options);
    this.#forwarder = new Forwarder(this, options);
  }

  get name(): string {
    return this.#options.name;
  }

  get sendsFiles(): boolean {
    return this.#options.sendFile !== undefined;
  }

  get inFlight(): number {
    return this.#inFlight.used;
  }

  get openStreams(): number {
    return this.#openStreams.size;
  }

  /** Forwards a request and always responds. The body is read first: a slow or broken upload never reaches a service. */
  send(req: GatewayRequest, res: ServerResponse, plan: CallPlan = defaultPlan(req.method ?? '')): void {
    if (!hasBody(req)) return this.#begin(req, res, plan, undefined);
    const bytes = Math.min(Number(req.headers['content-length'] ?? Infinity), plan.maxBodyBytes);
    const release = this.#bodyBytes.take(req.origin.network, bytes);
    if (!release) return this.fail(req, res, 'busy');
    readBody(req, res, plan.maxBodyBytes, (outcome) => {
      release();
      if (outcome === 'too large') sendProblem(req, res, 'too_large');
      else if (outcome !== 'gone') this.#begin(req, res, plan, outcome);
    });
  }

  /** Sends one of the gateway's own requests for a page, within the limits of all others. @throws Error as `ReplicaSet.ask` */
  async ask<Read>(question: Question, read: (answer: Answer) => Read): Promise<Read> {
    const release = this.#inFlight.take('pages');
    if (!release) throw new Error(`${this.name} is busy`);
    try {
      return await this.replicas.ask(question, read);
    } finally {
      release();
    }
  }

  /** Before a stop: later responses close their connections, and event streams end, so that clients reconnect elsewhere. */
  prepareToStop(): void {
    this.isStopping = true;
    this.replicas.stop();
    // Ending them also closes their connections to the upstream.
    for (const res of this.#openStreams) res.end();
  }

  destroy(): void {
    this.replicas.destroy();
  }

  #begin(req: GatewayRequest, res: ServerResponse, plan: CallPlan, body: Buffer | undefined): void {
    const release = (plan.stream ? this.#streams : this.#inFlight).take(req.origin.network);
    if (!release) return this.fail(req, res, 'busy');
    if (plan.stream) this.#openStreams.add(res);
    const { name, audiences, answerWithinMs = defaultAnswerWithinMs } = this.#options;
    const answerBy = performance.now() + (plan.answerWithinMs ?? answerWithinMs);
    const forwarding: Forwarding = { plan, body: body && new ReadBody(body), answerBy, replica: undefined, tried: [] };
    req.forwarding = forwarding;
    req.headers = this.sendsFiles ? fileRequestHeaders(req) : serviceRequestHeaders(req, body?.length, name, audiences);
    res.on('close', () => {
      release();
      clearTimeout(forwarding.timer);
      this.#openStreams.delete(res);
      if (forwarding.replica) forwarding.replica.inFlight -= 1;
    });
    this.#forwarder.send(req, res);
  }

  retried(): void {
    this.#options.metrics.retried(this.name);
  }

  /** Answers in place of the upstream. */
  fail(req: GatewayRequest, res: ServerResponse, reason: FailureReason, error?: Error): void {
    const { name, metrics, log, onFailure } = this.#options;
    metrics.failed(name, reason);
    const replica = req.forwarding?.replica?.name;
    log.warn({ upstream: name, replica, reason, requestId: req.requestId, err: error }, 'no response from upstream');
    if (onFailure) return onFailure(req, res);
    if (reason === 'unsuitable') return sendProblem(req, res, 'malformed_request');
    const retryAfter = reason === 'down' ? this.replicas.retryAfter(performance.now()) : 1;
    const detail = `This part of the clinic (${name}) ${details[reason]}. Try again in a moment.`;
    sendProblem(req, res, 'unavailable', detail, { 'Retry-After': String(retryAfter) });
  }
}
