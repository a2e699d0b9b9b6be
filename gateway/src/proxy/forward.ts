import type { ClientRequest, IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import { createProxyMiddleware, proxyEventsPlugin, type Plugin, type RequestHandler } from 'http-proxy-middleware';
import type { GatewayRequest } from '../server/gateway-request.ts';
import { ReadBody } from '../server/request-body.ts';
import { closesConnection } from '../replicas/connections.ts';
import { isBroken, isUnreachable, isUnsuitable } from '../replicas/network-errors.ts';
import type { Replica } from '../replicas/replica.ts';
import type { ReplicaSet } from '../replicas/replica-set.ts';
import { answerHeaders } from './headers.ts';

/** Why there is no response from an upstream. */
export type FailureReason = 'down' | 'busy' | 'slow' | 'unsuitable';

/** Its type names no class of requests. */
const onEvents = proxyEventsPlugin as unknown as Plugin<GatewayRequest, ServerResponse>;

/** The service didn't begin its response in time. */
class TooSlow extends Error {}

/** No replica can take a request now. */
class NoReplica extends Error {}

export interface ForwardOptions {
  /** Send the upstream's own name as Host instead of the one the client sent. */
  readonly changeOrigin?: boolean;
  /** Sends a file, if these are file servers of a front-end. */
  readonly sendFile?: (incoming: IncomingMessage, req: GatewayRequest, res: ServerResponse) => void;
}

/** What attempts need of their upstream. */
interface Target {
  readonly replicas: ReplicaSet;
  readonly isStopping: boolean;
  /** Counts a retry. */
  retried(): void;
  /** Answers in place of the upstream. */
  fail(req: GatewayRequest, res: ServerResponse, reason: FailureReason, error?: Error): void;
}

/**
 * Forwards requests to an upstream by http-proxy-middleware. Each attempt goes through its hooks in this order: `router`
 * picks a replica, `proxyReq` limits the wait, `proxyRes` sends the response, `error` tries another replica or answers.
 */
export class Forwarder {
  readonly #upstream: Target;
  readonly #proxy: RequestHandler<GatewayRequest, ServerResponse>;

  constructor(upstream: Target, { sendFile, changeOrigin = false }: ForwardOptions) {
    this.#upstream = upstream;
    this.#proxy = createProxyMiddleware<GatewayRequest, ServerResponse>({
      changeOrigin,
      // `passOn` does with one list of headers what the library does with a call for each.
      selfHandleResponse: true,
      // Of the default plugins only the one for `on`: `loggerPlugin` parses each address for a log line of its own (11 %
      // of the processor time), and the others handle errors, which `on.error` does.
      ejectPlugins: true,
      plugins: [onEvents],
      router: (req, _res, thisRequest) => {
        const replica = this.#pick(req);
        // Each replica has its own connections, to one IP address (`connections.int.test.ts`).
        thisRequest.agent = replica.agent;
        thisRequest.buffer = req.forwarding?.body ?? noBody;
        return replica.target;
      },
      on: {
        proxyReq: limitWait,
        proxyRes: (incoming, req, res) => {
          began(upstream, incoming, req, res);
          if (sendFile) return void (this.#triedElsewhere(incoming, req, res) || sendFile(incoming, req, res));
          passOn(incoming, res, answerHeaders(incoming, req));
          // An event stream begins before its first event.
          if (req.forwarding?.plan.stream) res.flushHeaders();
        },
        // Only a WebSocket has a socket here, and there are none.
        error: (error, req, res) => this.#failed(error, req, res as ServerResponse),
      },
    });
  }

  /** Forwards a request whose headers and `forwarding` are set. */
  send(req: GatewayRequest, res: ServerResponse): void {
    // It calls `next` without an error if it can't parse the address.
    void this.#proxy(req, res, (error?: unknown) =>
      error === undefined ? this.#upstream.fail(req, res, 'unsuitable') : this.#failed(error as Error, req, res),
    );
  }

  #pick({ forwarding }: GatewayRequest): Replica {
    const replica =
      forwarding && this.#upstream.replicas.pick(performance.now(), forwarding.tried, forwarding.plan.safe);
    if (!replica) throw new NoReplica();
    if (forwarding.replica) forwarding.replica.inFlight -= 1;
    replica.inFlight += 1;
    forwarding.replica = replica;
    return replica;
  }

  /** During a deployment, one server may have a file that another doesn't have yet, or no longer has. */
  #triedElsewhere(incoming: IncomingMessage, req: GatewayRequest, res: ServerResponse): boolean {
    const { replica, tried = [], plan } = req.forwarding ?? {};
    // The other one may be left out now, and this one be picked again.
    if (incoming.statusCode !== 404 || !replica || !plan?.safe || tried.includes(replica)) return false;
    const isUntried = (other: Replica): boolean => other !== replica && !tried.includes(other);
    if (!this.#upstream.replicas.all.some((other) => isUntried(other) && other.readiness === 'ready')) return false;
    tried.push(replica);
    this.#upstream.retried();
    incoming.resume().once('end', () => res.destroyed || this.send(req, res));
    return true;
  }

  /** No response came, or it broke off. */
  #failed(error: Error, req: GatewayRequest, res: ServerResponse): void {
    const upstream = this.#upstream;
    const { replicas } = upstream;
    const { replica, plan, tried = [] } = req.forwarding ?? {};
    // http-proxy-middleware reports some failures twice.
    if (res.headersSent || res.destroyed) return void res.destroy();
    if (!replica || error instanceof NoReplica) return upstream.fail(req, res, 'down', error);
    if (isUnsuitable(error)) return upstream.fail(req, res, 'unsuitable', error);
    const unreachable = isUnreachable(error);
    if (unreachable) replicas.lost(replica);
    else replica.failed(performance.now());
    if (error instanceof TooSlow) return upstream.fail(req, res, 'slow', error);
    // If nothing was sent, any request may be retried on another replica. Otherwise only a safe one, and only once.
    const again = unreachable
      ? tried.length < replicas.all.length
      : plan?.safe && isBroken(error) && tried.length === 0;
    if (!again) return upstream.fail(req, res, 'down', error);
    tried.push(replica);
    upstream.retried();
    // Each attempt adds listeners.
    res.setMaxListeners(0);
    req.setMaxListeners(0);
    this.send(req, res);
  }
}

/** A response has begun. */
function began(
  { replicas, isStopping }: Target,
  incoming: IncomingMessage,
  req: GatewayRequest,
  res: ServerResponse,
): void {
  const { replica, timer } = req.forwarding ?? {};
  clearTimeout(timer);
  if (replica) replicas.answered(replica, incoming);
  // Node would close the connection after a response to HEAD without a length, but it has no body either.
  if (req.method === 'HEAD' && !closesConnection(incoming) && incoming.httpVersion === '1.1')
    outgoingOf(incoming).shouldKeepAlive = true;
  if (isStopping) res.shouldKeepAlive = false;
}

/** Limits the wait for a response. Not by `proxyTimeout`: it would cut off a response that pauses, and look like a broken connection. */
function limitWait(outgoing: ClientRequest, { forwarding }: GatewayRequest): void {
  if (!forwarding) return;
  clearTimeout(forwarding.timer);
  forwarding.timer = setTimeout(tooSlow, Math.max(1, forwarding.answerBy - performance.now()), outgoing);
}

function tooSlow(outgoing: ClientRequest): void {
  outgoing.destroy(new TooSlow());
}

const noBody = new ReadBody();

/** Sends an upstream's response. Without `pipe`, whose listeners cost as much as the log line. */
export function passOn(incoming: IncomingMessage, res: ServerResponse, headers: OutgoingHttpHeader[]): void {
  res.writeHead(incoming.statusCode ?? 0, incoming.statusMessage, headers);
  incoming.on('data', (chunk: Buffer) => res.write(chunk) || incoming.pause());
  incoming.on('end', () => res.end());
  res.on('drain', () => incoming.resume());
}

/** The request of a response; Node sets it, and its types don't say so. */
function outgoingOf(incoming: IncomingMessage): ClientRequest {
  return (incoming as IncomingMessage & { readonly req: ClientRequest }).req;
}
