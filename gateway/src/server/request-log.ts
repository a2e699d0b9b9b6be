import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Context } from '../context.ts';
import type { Deployments } from '../deployments/deployments.ts';
import type { GatewayRequest } from './gateway-request.ts';
import { originOf } from './origin.ts';

/**
 * Request ids set by our pages (app-kit), for requests that may get no response; anything else a client sends isn't
 * logged.
 */
const clientIds = /^[0-9a-f]{32}$/;

/**
 * Identifies each request, and records it in log, metrics and traces when its response is done.
 *
 * @param frontEnds - whose files are requested
 * @param loggedAddress - what of an address the log may show
 */
export function requestLog(
  { settings, log, metrics, tracing }: Context,
  frontEnds: Deployments['all'],
  loggedAddress: (url: string) => string,
) {
  const { TRUST_PROXY, BEHIND_BALANCER, PUBLIC_URL: publicUrl, HSTS: scope } = settings;
  const originOptions = { trustProxy: TRUST_PROXY || BEHIND_BALANCER, publicUrl, scope };

  function begin(req: GatewayRequest, res: ServerResponse): void {
    req.startedAt = performance.now();
    // Always generated here: it is stored in the history of records, so a client must not choose it.
    req.requestId = randomUUID();
    req.origin = originOf(req, originOptions);
    const { url = '' } = req;
    req.originalUrl = url;
    const query = url.indexOf('?');
    req.pathname = query === -1 ? url : url.slice(0, query);
    const end = req.pathname.indexOf('/', 1);
    req.segment = end === -1 ? req.pathname.slice(1) : req.pathname.slice(1, end);
    req.clientId = req.headers['x-request-id'];
    // A stranger may neither choose which traces are kept nor hide from them.
    delete req.headers['traceparent'];
    delete req.headers['tracestate'];
    if (tracing) {
      req.span = tracing.serve(req.method ?? '', req.headers);
      // Started before the target is known, because the forwarded headers carry the trace.
      req.sent = req.span.call('send', req.headers);
    }
    res.on('close', finish);
  }

  /** Shared by all responses: a function for each costs 1 % of the processor time. */
  function finish(this: ServerResponse): void {
    // Express changes a request's prototype and keeps its fields.
    const req = this.req as GatewayRequest;
    const { target, requestId, span, method = '' } = req;
    const ms = performance.now() - req.startedAt;
    // Its duration only says how long a page stayed open.
    if (!(req.endless || req.forwarding?.plan.stream) || this.statusCode !== 200)
      metrics.observe(target, method, this.statusCode, ms / 1000);
    if (target !== 'gateway') req.sent?.end(this.statusCode, `send ${target}`);
    span?.end(`${method} ${target}`, this.statusCode, { 'clinic.request_id': requestId, 'clinic.target': target });
    // Pages load dozens of files; their lines would be of little use.
    const level = frontEnds.has(target) ? 'debug' : 'info';
    if (!log.isLevelEnabled(level)) return;
    const { clientId, forwarding } = req;
    const line = {
      requestId,
      ...(typeof clientId === 'string' && clientIds.test(clientId) && { clientRequestId: clientId }),
      method,
      url: loggedAddress(req.originalUrl),
      status: this.statusCode,
      ms: Math.round(ms * 10) / 10,
      target,
      replica: forwarding?.replica?.name,
      trace: span?.traceId,
      ...(!this.writableFinished && { aborted: true }),
    };
    log[level](line, 'request');
  }

  return begin;
}
