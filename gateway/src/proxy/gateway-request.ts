import type { CallPlan } from './call-plan.ts';
import { IncomingMessage, type ClientRequest, type ServerResponse } from 'node:http';
import type { ChildSpan, ServerSpan } from '@clinic/service-kit/tracing';
import type { Options } from 'http-proxy-middleware';
import type { Replica, ReplicaTarget } from '../replicas/replica.ts';
import type { Collected } from './collect.ts';
import type { Origin } from './origin.ts';

/** Handles the events of http-proxy-middleware for a request; see `proxied-request.ts`. */
export interface Forwarding {
  readonly req: GatewayRequest;
  readonly res: ServerResponse;
  /** `performance.now()` after which it has timed out; infinity once the response has started. */
  deadline: number;
  /** `performance.now()` at which the client stopped reading; infinity while it reads. */
  readonly stalledSince: number;
  /** We answered, or the client has left: whatever the upstream still sends is ignored. */
  over: boolean;
  /** Passes the response on, if it was requested for several clients. */
  settle(outcome: Collected): void;
  readonly plan: CallPlan;
  /** The replica of the current attempt. */
  readonly replica: Replica | undefined;
  /** Sets how this attempt is sent. @returns its replica */
  route(options: Options<GatewayRequest, ServerResponse>): ReplicaTarget;
  sending(outgoing: ClientRequest): void;
  answered(incoming: IncomingMessage): void;
  /** @param to - the response that http-proxy-middleware was writing in this attempt */
  failed(error: Error, to: unknown): void;
  /** Abandons the request: the client has left, or we have answered. */
  giveUp(): void;
}

const unknownOrigin: Origin = { address: '', protocol: 'http' };

/**
 * A request with the gateway's own state. Fields are cheaper than a separate map, above all for the garbage collector.
 */
export class GatewayRequest extends IncomingMessage {
  requestId = '';
  /** The address as requested; Express strips mount paths from `url`. */
  received = '';
  /** `performance.now()` of its arrival. */
  startedAt = 0;
  /** The client's X-Request-Id. */
  clientId: string | string[] | undefined;
  /** Its trace, and in it the request to a part; both only if tracing is on. */
  span: ServerSpan | undefined;
  sent: ChildSpan | undefined;
  /** Where it comes from. */
  origin: Origin = unknownOrigin;
  /** Path without the query, still encoded. */
  pathname = '';
  /** First segment of the path. */
  segment = '';
  /** Name of the part that answers it, for log and metrics. */
  target = 'gateway';
  /** Its forwarding state, once it has been forwarded. */
  proxied: Forwarding | undefined;
  /** An event stream: lasts as long as the client listens. */
  endless = false;
  /** The client waits for 100 Continue before it sends the body (RFC 9110, section 10.1.1). */
  expectsContinue = false;
  /** Its index in the list of requests in flight. */
  place = -1;
}

type OwnState = Omit<GatewayRequest, keyof IncomingMessage>;

declare global {
  namespace Express {
    // Express changes a request's prototype and keeps its fields.
    interface Request extends OwnState {}
  }
}
