import { ServerResponse, type ClientRequest, type IncomingMessage } from 'node:http';
import { Stream } from 'node:stream';
import type { Options } from 'http-proxy-middleware';
import type { CallPlan } from './call-plan.ts';
import { collect, type Collect, type Collected } from './collect.ts';
import { forward } from './forward.ts';
import type { Forwarding, GatewayRequest } from './gateway-request.ts';
import { fileAnswerHeaders } from './file-headers.ts';
import { answerHeaders } from './headers.ts';
import { readHead } from '../replicas/connections.ts';
import type { Replica, ReplicaTarget } from '../replicas/replica.ts';

/** Callbacks of a proxied request. */
export interface ProxiedRequestOwner {
  /** Whether these are file servers of front-ends, whose headers are restricted in both directions. */
  readonly sendsFiles: boolean;
  /** Send the upstream's own name as Host instead of the one the client sent. */
  readonly changeOrigin: boolean;
  /** No response came. Retries it on another replica, or answers it. */
  failed(proxied: ProxiedRequest, error: Error): void;
  /** A response has started. */
  answered(proxied: ProxiedRequest, closesConnection: boolean): void;
  /** This attempt has ended, well or not, and its replica is free. Called once per attempt. */
  left(proxied: ProxiedRequest): void;
  /** The replica answered 404. @returns another replica that may have the file */
  notFound(proxied: ProxiedRequest): Replica | undefined;
}

/** A body that was read before, or none: sent with the headers, and again on a retry. */
class WholeBody extends Stream {
  readonly #bytes: Buffer | undefined;

  constructor(bytes?: Buffer) {
    super();
    this.#bytes = bytes;
  }

  override pipe<Destination extends NodeJS.WritableStream>(destination: Destination): Destination {
    if (this.#bytes) destination.end(this.#bytes);
    else destination.end();
    return destination;
  }
}

const noBody = new WholeBody();

/** Responses up to this size that arrive whole are sent in one write. */
const smallBytes = 32 * 1024;

/** A forwarded request and its response. This is the gateway's hottest code. */
export class ProxiedRequest implements Forwarding {
  readonly req: GatewayRequest;
  readonly res: ServerResponse;
  readonly plan: CallPlan;
  readonly #body: WholeBody;
  readonly #owner: ProxiedRequestOwner;
  /** Gets the response instead of the client. */
  #collect: Collect | undefined;
  replica: Replica | undefined;
  /** Replicas that failed or had no such file. */
  tried: Replica[] | undefined;
  /** `performance.now()` after which it has timed out; infinity once the response has started. */
  deadline: number;
  /** `performance.now()` at which the client stopped reading; infinity while it reads. */
  stalledSince = Infinity;
  /** We answered, or the client has left: ignore whatever the upstream still sends. */
  over = false;
  #outgoing: ClientRequest | undefined;
  /** The response object that hpm writes to in this attempt. */
  #to: ServerResponse | undefined;
  #sent = false;

  constructor(
    owner: ProxiedRequestOwner,
    req: GatewayRequest,
    res: ServerResponse,
    plan: CallPlan,
    body: Buffer | null,
    deadline: number,
    collect: Collect | undefined,
  ) {
    this.#owner = owner;
    this.req = req;
    this.res = res;
    this.plan = plan;
    this.#body = body ? new WholeBody(body) : noBody;
    this.deadline = deadline;
    this.#collect = collect;
  }

  /** Sends the request to a replica. */
  sendTo(replica: Replica): void {
    // Each attempt adds listeners.
    if (this.replica) {
      this.res.setMaxListeners(0);
      this.req.setMaxListeners(0);
    }
    this.replica = replica;
    this.#sent = true;
    replica.inFlight += 1;
    // hpm calls back only with an error, or if it can't parse the address. It ends the client's connection if a
    // response breaks off, so if others wait too, it gets a stand-in.
    const to = this.#collect ? new ServerResponse(this.req) : this.res;
    this.#to = to;
    const fail = (error: unknown): void => this.failed(errorOf(error), to);
    forward(this.req, to, fail).catch(fail);
  }

  /** Abandons the request: the client has left, or we have answered. */
  giveUp(): void {
    this.over = true;
    this.#outgoing?.destroy();
    this.settle(undefined);
  }

  /** Passes the response on, if it was requested for several clients. */
  settle(outcome: Collected): void {
    const settled = this.#collect;
    this.#collect = undefined;
    if (settled) {
      this.over = true;
      settled(outcome);
    }
  }

  /** Sets how this attempt is sent. @returns its replica */
  route(options: Options<GatewayRequest, ServerResponse>): ReplicaTarget {
    const { replica } = this;
    if (!replica) throw new Error('a proxied request needs a replica');
    options.agent = this.plan.stream ? replica.streams : replica.calls;
    options.buffer = this.#body;
    options.changeOrigin = this.#owner.changeOrigin;
    return replica.target;
  }

  /** The attempt has a connection. */
  sending(outgoing: ClientRequest): void {
    this.#outgoing = outgoing;
    outgoing.once('close', () => {
      if (this.#outgoing === outgoing) this.#leave();
    });
    if (this.over) outgoing.destroy();
  }

  /** The response has started. */
  answered(incoming: IncomingMessage): void {
    if (this.over) {
      incoming.resume();
      return;
    }
    const { res, req } = this;
    const { statusCode: status = 0 } = incoming;
    const { closes, bytes } = readHead(incoming);
    this.#owner.answered(this, closes);
    // Node would close the connection if such a response has no length, but it has no body either (RFC 9112, section
    // 6.3).
    if (req.method === 'HEAD' && !closes && incoming.httpVersion === '1.1' && this.#outgoing)
      this.#outgoing.shouldKeepAlive = true;
    const next = status === 404 ? this.#owner.notFound(this) : undefined;
    if (next) {
      incoming.resume().once('end', () => {
        this.#leave();
        if (!this.over) this.sendTo(next);
      });
      return;
    }
    this.deadline = Infinity;
    if (this.#collect) {
      collect(incoming, (answer) => this.settle(answer));
      return;
    }
    const toSend = this.#owner.sendsFiles ? fileAnswerHeaders : answerHeaders;
    res.writeHead(status, incoming.statusMessage, toSend(incoming, res, req));
    if (status === 204 || status === 304) {
      // These have no body, whatever Content-Length says (RFC 9112, section 6.3).
      this.over = true;
      incoming.resume();
      res.end();
      return;
    }
    if (this.plan.stream) res.flushHeaders();
    this.#copy(incoming, bytes);
  }

  /**
   * No response came, or it broke off.
   *
   * @param to - of this attempt; a connection that breaks off reports two failures, of the request and of the response
   */
  failed(error: Error, to: unknown): void {
    if (to !== this.#to) return;
    this.#leave();
    if (!this.over) this.#owner.failed(this, error);
  }

  #copy(incoming: IncomingMessage, bytes: number | undefined): void {
    const { res } = this;
    let whole: Buffer | undefined;
    incoming.on('data', (chunk: Buffer) => {
      if (this.over) return;
      if (chunk.length === bytes && bytes <= smallBytes) {
        whole = chunk;
        return;
      }
      if (res.write(chunk)) return;
      this.stalledSince = performance.now();
      incoming.pause();
      res.once('drain', () => {
        this.stalledSince = Infinity;
        incoming.resume();
      });
    });
    incoming.on('end', () => {
      if (this.over) return;
      this.over = true;
      // Node sends a string and the headers in one write, which is cheaper than two even with the copy.
      if (whole) res.end(whole.toString('latin1'), 'latin1');
      else res.end();
    });
  }

  #leave(): void {
    if (!this.#sent) return;
    this.#sent = false;
    this.#outgoing = undefined;
    if (this.replica) this.replica.inFlight -= 1;
    this.#owner.left(this);
  }
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : Object.assign(new Error('invalid address'), { code: 'ERR_INVALID_URL' });
}
