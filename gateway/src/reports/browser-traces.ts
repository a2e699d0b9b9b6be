import type { GatewayRequest } from '../server/gateway-request.ts';
import { VisitorLimit } from './visitor-limit.ts';

/**
 * Requests per minute whose traces may start in a browser. Beyond that the gateway samples, as for all other requests.
 */
const limits = { perNetwork: 600, altogether: 12_000 };

/** A sampled trace (https://www.w3.org/TR/trace-context/#traceparent-header). */
const sampled = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-01$/;

/**
 * Removes the trace that a client claims to continue, so that strangers can neither fill our traces nor hide from them.
 *
 * @param share - of page loads whose traces start in the browser; unless it is 0, sampled traces of our own pages stay,
 *   up to a limit
 */
export function traceFilter(share: number): (req: GatewayRequest) => void {
  const limit = share > 0 ? new VisitorLimit(limits) : undefined;
  const isOurs = (req: GatewayRequest, trace: string | string[]): boolean =>
    limit !== undefined &&
    req.headers['sec-fetch-site'] === 'same-origin' &&
    typeof trace === 'string' &&
    sampled.test(trace) &&
    limit.admits(req);
  return (req) => {
    const { traceparent, tracestate } = req.headers;
    if (traceparent !== undefined && !isOurs(req, traceparent)) delete req.headers['traceparent'];
    // Our pages send none.
    if (tracestate !== undefined) delete req.headers['tracestate'];
  };
}
