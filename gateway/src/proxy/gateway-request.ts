import { IncomingMessage } from 'node:http';
import type { Origin } from './origin.ts';
import type { ProxiedRequest } from './proxied-request.ts';

const unknownOrigin: Origin = { address: '', protocol: 'http' };

/** A request with the gateway's own state. Fields are cheaper than a separate map, above all for the garbage collector. */
export class GatewayRequest extends IncomingMessage {
  requestId = '';
  /** Where it comes from. */
  origin: Origin = unknownOrigin;
  /** Path without the query, still encoded. */
  pathname = '';
  /** First segment of the path. */
  segment = '';
  /** Name of the part that answers it, for log and metrics. */
  target = 'gateway';
  /** Its forwarding state, once it has been forwarded. */
  proxied: ProxiedRequest | undefined;
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
