import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { createProxyMiddleware, proxyEventsPlugin, type Plugin, type RequestHandler } from 'http-proxy-middleware';
import type { Context } from '../context.ts';
import { fileRequestHeaders, fileResponseHeaders } from '../files/file-headers.ts';
import { closesConnection } from '../replicas/connections.ts';
import { isBroken, isUnreachable, isUnsuitable } from '../replicas/network-errors.ts';
import type { Replica, ReplicaRequest, ReplicaResponse } from '../replicas/replica.ts';
import { ReplicaSet, type ReplicaSetOptions } from '../replicas/replica-set.ts';
import { sendProblem } from '../server/answers.ts';
import { bufferBody, hasBody } from '../server/bodies.ts';
import type { Forwarding, GatewayRequest } from '../server/gateway-request.ts';
import { BufferedBody, sendResponse } from './bodies.ts';
import { planOf, type CallPlan } from './call-plan.ts';
import { FairLimit } from './fair-limit.ts';
import { responseHeaders, serviceRequestHeaders } from './headers.ts';

export interface UpstreamOptions extends ReplicaSetOptions {
  /** Names of all services, for svc-identity, separated by commas. */
  readonly audiences?: string;
  /** Send the upstream's own name as Host instead of the one the client sent. */
  readonly changeOrigin?: boolean;
  /** These are file servers of a front-end: they learn nothing about visitors, and only send files. */
  readonly sendsFiles?: boolean;
  /** Answers when the upstream doesn't; default: a problem. */
  readonly onFailure?: (req: GatewayRequest, res: ServerResponse) => void;
}

/** Requests in flight and event streams. More would only wait, and that time wouldn't be measured. */
const mostInFlight = 200;
const mostStreams = 1000;

/** Stands for a network among those whose requests are limited: the gateway's own requests for pages. */
const ownRequests = 'own requests';

/** Bytes of bodies being read at once; they come from clients, and may come slowly. */
const mostBodyBytes = 64 * 1024 * 1024;

/** Why there is no response from an upstream, in words for the visitor. */
const failures = {
  down: 'isn’t responding',
  busy: 'is busy',
  slow: 'is taking too long to respond',
  unsuitable: 'can’t take this request',
} as const;
type FailureReason = keyof typeof failures;

/** The service didn't begin its response in time. */
class TooSlow extends Error {}

/** No replica can take a request now. */
class NoReplica extends Error {}

/** A request on its way to a replica. */
type Forwarded = GatewayRequest & { readonly forwarding: Forwarding };

/** Its type names no class of requests. */
const onEvents = proxyEventsPlugin as unknown as Plugin<Forwarded, ServerResponse>;

const noBody = new BufferedBody();

/**
 * A group of interchangeable servers, to which http-proxy-middleware forwards. Each attempt goes through its hooks in this order:
 * `router` picks a replica, `proxyReq` limits the wait, `proxyRes` sends the response, `error` tries another replica or answers.
 */
export class Upstream {
  readonly name: string;
  readonly replicas: ReplicaSet;
  readonly #context: Context;
  readonly #options: UpstreamOptions;
  readonly #inFlight = new FairLimit(mostInFlight);
  readonly #streams = new FairLimit(mostStreams);
  readonly #bodyBytes = new FairLimit(mostBodyBytes);
  readonly #openStreams = new Set<ServerResponse>();
  readonly #proxy: RequestHandler<Forwarded, ServerResponse>;

  constructor(context: Context, options: UpstreamOptions) {
    this.name = options.name;
    this.replicas = new ReplicaSet(context, options);
    this.#context = context;
    this.#options = options;
    // Clients reconnect elsewhere. Ending event streams also closes their connections to the upstream.
    context.ended.addEventListener('abort', () => this.#openStreams.forEach((res) => res.end()));
    this.#proxy = createProxyMiddleware<Forwarded, ServerResponse>({
      changeOrigin: options.changeOrigin ?? false,
      // Otherwise the library sends every response, also a 404 for which another server may have the file.
      selfHandleResponse: true,
      // Of the default plugins only the one for `on`: `loggerPlugin` parses each address for a log line of its own (11 %
      // of the processor time), and `debugProxyErrorsPlugin` adds listeners for debug lines, and for a client that leaves,
      // where httpxy, the library's core, already destroys the upstream's response.
      ejectPlugins: true,
      plugins: [onEvents],
      // The third argument is the library's copy of these options for this attempt: `router` itself can only return a target.
      router: (req, _res, attempt) => {
        const replica = this.#pick(req.forwarding);
        // Each replica has its own connections, to one IP address (`connections.int.test.ts`).
        attempt.agent = replica.agent;
        attempt.buffer = req.forwarding.body ?? noBody;
        return replica.target;
      },
      on: {
        proxyReq: limitWait,
        proxyRes: (incoming, req, res) => this.#responseBegan(incoming, req, res),
        // Only a WebSocket has a socket here, and there are none.
        error: (error, req, res) => this.#failed(error, req, res as ServerResponse),
      },
    });
  }

  get inFlight(): number {
    return this.#inFlight.used;
  }

  get openStreams(): number {
    return this.#openStreams.size;
  }

  /** Forwards a request and always responds. The body is read first: a slow or broken upload never reaches a service. */
  send(req: GatewayRequest, res: ServerResponse, plan: CallPlan = planOf(req.method ?? '')): void {
    if (!hasBody(req)) return this.#begin(req, res, plan, undefined);
    const bytes = Math.min(Number(req.headers['content-length'] ?? Infinity), plan.maxBodyBytes);
    const release = this.#bodyBytes.take(req.origin.network, bytes);
    if (!release) return this.#fail(req, res, 'busy');
    bufferBody(req, res, plan.maxBodyBytes, (outcome) => {
      release();
      if (outcome === 'too large') sendProblem(req, res, 'too_large');
      else if (outcome !== 'gone') this.#begin(req, res, plan, outcome);
    });
  }

  /** Sends one of the gateway's own requests for a page, within the limits of all others. @throws Error as `ReplicaSet.ask` */
  async ask<Read>(request: ReplicaRequest, read: (response: ReplicaResponse) => Read): Promise<Read> {
    const release = this.#inFlight.take(ownRequests);
    if (!release) throw new Error(`${this.name} is busy`);
    try {
      return await this.replicas.ask(request, read);
    } finally {
      release();
    }
  }

  #begin(req: GatewayRequest, res: ServerResponse, plan: CallPlan, body: Buffer | undefined): void {
    const release = (plan.stream ? this.#streams : this.#inFlight).take(req.origin.network);
    if (!release) return this.#fail(req, res, 'busy');
    if (plan.stream) this.#openStreams.add(res);
    const { sendsFiles, audiences } = this.#options;
    const answerBy = performance.now() + (plan.answerWithinMs ?? this.#context.answerWithinMs);
    const forwarding: Forwarding = {
      plan,
      body: body && new BufferedBody(body),
      answerBy,
      replica: undefined,
      tried: [],
    };
    // Not in `on.proxyReq`, where the library's manual changes headers: httpxy doesn't call it for a request with Expect.
    req.headers = sendsFiles ? fileRequestHeaders(req) : serviceRequestHeaders(req, body?.length, this.name, audiences);
    res.on('close', () => {
      release();
      clearTimeout(forwarding.timer);
      this.#openStreams.delete(res);
      if (forwarding.replica) forwarding.replica.inFlight -= 1;
    });
    this.#attempt(Object.assign(req, { forwarding }), res);
  }

  #attempt(req: Forwarded, res: ServerResponse): void {
    // It calls `next` without an error if it can't parse the address.
    void this.#proxy(req, res, (error?: unknown) =>
      error === undefined ? this.#fail(req, res, 'unsuitable') : this.#failed(error as Error, req, res),
    );
  }

  #pick(forwarding: Forwarding): Replica {
    const replica = this.replicas.pick(performance.now(), forwarding.tried, forwarding.plan.safe);
    if (!replica) throw new NoReplica();
    if (forwarding.replica) forwarding.replica.inFlight -= 1;
    replica.inFlight += 1;
    forwarding.replica = replica;
    return replica;
  }

  /** A response has begun. */
  #responseBegan(incoming: IncomingMessage, req: Forwarded, res: ServerResponse): void {
    const { replica, timer, plan } = req.forwarding;
    clearTimeout(timer);
    if (replica) this.replicas.responseBegan(replica, incoming);
    // Node would close the connection after a response to HEAD without a length, but it has no body either
    // (“reuses connections between requests” in `replicas.int.test.ts`).
    if (req.method === 'HEAD' && !closesConnection(incoming) && incoming.httpVersion === '1.1')
      outgoingOf(incoming).shouldKeepAlive = true;
    if (this.#context.ended.aborted) res.shouldKeepAlive = false;
    const { sendsFiles } = this.#options;
    if (sendsFiles && this.#triedElsewhere(incoming, req, res)) return;
    req.keepFile?.(incoming);
    sendResponse(incoming, res, sendsFiles ? fileResponseHeaders(incoming, req) : responseHeaders(incoming, req));
    // An event stream begins before its first event.
    if (plan.stream) res.flushHeaders();
  }

  /** During a deployment, one server may have a file that another doesn't have yet, or no longer has. */
  #triedElsewhere(incoming: IncomingMessage, req: Forwarded, res: ServerResponse): boolean {
    const { replica, tried, plan } = req.forwarding;
    // The other one may be left out now, and this one be picked again.
    if (incoming.statusCode !== 404 || !replica || !plan.safe || tried.includes(replica)) return false;
    const isUntried = (other: Replica): boolean => other !== replica && !tried.includes(other);
    if (!this.replicas.all.some((other) => isUntried(other) && other.readiness === 'ready')) return false;
    this.#noteRetry(req, res, replica);
    incoming.resume().once('end', () => res.destroyed || this.#attempt(req, res));
    return true;
  }

  /** No response came, or it broke off. */
  #failed(error: Error, req: Forwarded, res: ServerResponse): void {
    const { replicas } = this;
    const { replica, plan, tried } = req.forwarding;
    // A response that breaks off is reported by httpxy, which destroys `res` with the error, and for that once more by
    // http-proxy-middleware.
    if (res.headersSent || res.destroyed) return void res.destroy();
    if (!replica || error instanceof NoReplica) return this.#fail(req, res, 'down', error);
    if (isUnsuitable(error)) return this.#fail(req, res, 'unsuitable', error);
    const unreachable = isUnreachable(error);
    if (unreachable) replicas.lost(replica);
    else replica.failed(performance.now());
    if (error instanceof TooSlow) return this.#fail(req, res, 'slow', error);
    // If nothing was sent, any request may be retried on another replica. Otherwise only a safe one, and only once.
    const again = unreachable ? tried.length < replicas.all.length : plan.safe && isBroken(error) && tried.length === 0;
    if (!again) return this.#fail(req, res, 'down', error);
    this.#noteRetry(req, res, replica);
    this.#attempt(req, res);
  }

  #noteRetry(req: Forwarded, res: ServerResponse, replica: Replica): void {
    req.forwarding.tried.push(replica);
    this.#context.metrics.retried(this.name);
    // Each attempt adds listeners.
    req.setMaxListeners(0);
    res.setMaxListeners(0);
  }

  /** Answers in place of the upstream. */
  #fail(req: GatewayRequest, res: ServerResponse, reason: FailureReason, error?: Error): void {
    const { name } = this;
    const { metrics, log } = this.#context;
    metrics.failed(name, reason);
    const replica = req.forwarding?.replica?.name;
    log.warn({ upstream: name, replica, reason, requestId: req.requestId, err: error }, 'no response from upstream');
    if (this.#options.onFailure) return this.#options.onFailure(req, res);
    if (reason === 'unsuitable') return sendProblem(req, res, 'malformed_request');
    const retryAfter = reason === 'down' ? this.replicas.retryAfter(performance.now()) : 1;
    const detail = `This part of the clinic (${name}) ${failures[reason]}. Try again in a moment.`;
    sendProblem(req, res, 'unavailable', detail, { 'Retry-After': String(retryAfter) });
  }
}

/** Limits the wait for a response. Not by `proxyTimeout`: it would cut off a response that pauses, and look like a broken connection. */
function limitWait(outgoing: ClientRequest, { forwarding }: Forwarded): void {
  clearTimeout(forwarding.timer);
  forwarding.timer = setTimeout(tooSlow, Math.max(1, forwarding.answerBy - performance.now()), outgoing);
}

function tooSlow(outgoing: ClientRequest): void {
  outgoing.destroy(new TooSlow());
}

/** The request of a response; Node sets it, and its types don't say so. */
function outgoingOf(incoming: IncomingMessage): ClientRequest {
  return (incoming as IncomingMessage & { readonly req: ClientRequest }).req;
}
