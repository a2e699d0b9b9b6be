import { IncomingMessage } from 'node:http';
import type { Exchange } from './exchange.ts';

/** A request with what the gateway notes about it: fields cost less than a map beside, above all in garbage collection. */
export class GatewayRequest extends IncomingMessage {
  requestId = '';
  /** Where it has been sent on, and how that goes. */
  exchange: Exchange | undefined;
  /** Its body comes only after it is asked for (RFC 9110, section 10.1.1). */
  expectsContinue = false;
  /** Where it is among those that are under way. */
  place = -1;
}
