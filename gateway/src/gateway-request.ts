import { IncomingMessage, type ClientRequest } from 'node:http';

/** State of a request that has been sent on. */
export interface Exchange {
  attempts: number;
  /** Which of the equal servers it went to. */
  target: number;
  /** `performance.now()` after which it counts as slow; set to infinity once the answer has begun. */
  deadline: number;
  proxyReq?: ClientRequest;
}

/** A request with what the gateway notes about it: fields cost less than a map beside, above all in garbage collection. */
export class GatewayRequest extends IncomingMessage {
  requestId = '';
  exchange: Exchange | undefined;
  /** Where it is among those that are under way. */
  place = -1;
}
