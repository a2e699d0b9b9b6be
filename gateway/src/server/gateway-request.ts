import { IncomingMessage } from 'node:http';
import type { Stream } from 'node:stream';
import type { ChildSpan, ServerSpan } from '@clinic/service-kit/tracing';
import type { CallPlan } from '../proxy/call-plan.ts';
import type { Replica } from '../replicas/replica.ts';
import type { Origin } from './origin.ts';

const unknownOrigin: Origin = { address: '', network: '', protocol: 'http' };

/** How a request is forwarded. */
export interface Forwarding {
  readonly plan: CallPlan;
  /** Its body, which was read before; undefined if it has none. */
  readonly body: Stream | undefined;
  /** `performance.now()` by which the response must have started. */
  readonly answerBy: number;
  /** Ends an attempt that takes too long. */
  timer?: NodeJS.Timeout;
  /** The replica of the current attempt. */
  replica: Replica | undefined;
  /** Replicas that failed, or had no such file. */
  readonly tried: Replica[];
}

/** A request with the gateway's own state. Express changes a request's prototype and keeps its fields. */
export class GatewayRequest extends IncomingMessage {
  requestId = '';
  /** The address as requested; Express strips mount paths from `url`. */
  originalUrl = '';
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
  forwarding: Forwarding | undefined;
  /** Keeps the front-end's file that is being sent. */
  keepFile: ((incoming: IncomingMessage) => void) | undefined;
  /** An event stream: lasts as long as the client listens. */
  endless = false;
  /** The client waits for 100 Continue before it sends the body (RFC 9110, section 10.1.1). */
  expectsContinue = false;
}

type OwnState = Omit<GatewayRequest, keyof IncomingMessage>;

declare global {
  namespace Express {
    interface Request extends OwnState {}
  }
}
