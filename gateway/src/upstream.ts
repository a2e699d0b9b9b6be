import { Agent, type ServerResponse } from 'node:http';
import { createProxyMiddleware } from 'http-proxy-middleware';
import type { Exchange, GatewayRequest } from './gateway-request.ts';
import { answerHeaders } from './headers.ts';
import { UnderWay } from './under-way.ts';

export type FailureReason = 'down' | 'busy' | 'slow';

export interface UpstreamOptions {
  readonly name: string;
  /** Addresses of equal servers; requests take turns. */
  readonly targets: readonly string[];
  /** Send the upstream's own name as Host instead of the one the client asked for. */
  readonly changeOrigin?: boolean;
  /** Milliseconds until an answer must have begun; a begun answer may go on for as long as it likes. */
  readonly answerWithinMs?: number;
  /** More requests at once than this are refused: waiting for a free connection would be uncounted time. */
  readonly maxInFlight?: number;
  /** Gives the answer when there is none from the upstream. */
  readonly onFailure: (req: GatewayRequest, res: ServerResponse, reason: FailureReason, error?: Error) => void;
}

/** Sends a request on; the answer is given in any case. */
export type Upstream = (req: GatewayRequest, res: ServerResponse) => void;

/** Errors that mean the server closed a kept connection just then; the request was not worked on. */
const brokenConnection = new Set(['ECONNRESET', 'EPIPE']);

/** Longest time, in milliseconds, by which a slow answer is noticed late. */
const sweepMs = 1000;

/** A group of equal servers behind the gateway. */
export function createUpstream({ name, targets, changeOrigin = false, answerWithinMs = 30_000, maxInFlight = 200, onFailure }: UpstreamOptions): Upstream {
  const agent = new Agent({ keepAlive: true, maxSockets: 256, maxFreeSockets: 64 });
  const underWay = new UnderWay();
  let turn = 0;

  // One look at all requests from time to time, instead of a timer for each.
  setInterval(() => {
    const now = performance.now();
    underWay.forEach((req, res) => {
      const { exchange } = req;
      if (!exchange || exchange.deadline > now) return;
      exchange.deadline = Infinity;
      onFailure(req, res, 'slow');
      exchange.proxyReq?.destroy();
    });
  }, Math.min(sweepMs, answerWithinMs)).unref();

  const proxies = targets.map((target) =>
    createProxyMiddleware<GatewayRequest, ServerResponse>({
      // Else it would be read anew for each request.
      target: new URL(target),
      changeOrigin,
      agent,
      // The default plugins cost a tenth of the throughput, and answer errors in their own way.
      ejectPlugins: true,
      // Headers in one go: setting them one by one costs a fifth of the whole.
      selfHandleResponse: true,
      plugins: [
        (proxy) => {
          proxy.on('proxyReq', (proxyReq, req) => {
            if (req.exchange) req.exchange.proxyReq = proxyReq;
          });
          proxy.on('proxyRes', (proxyRes, req, res) => {
            if (req.exchange) req.exchange.deadline = Infinity;
            // An answer of our own, given because this one took too long, stands.
            if (res.headersSent) return;
            res.writeHead(proxyRes.statusCode ?? 502, proxyRes.statusMessage ?? '', answerHeaders(proxyRes, res, req));
            proxyRes.pipe(res);
          });
          proxy.on('error', (error, req, res) => {
            if (req && res && 'writeHead' in res) failed(error, req, res);
          });
        },
      ],
    }),
  );

  function send(req: GatewayRequest, res: ServerResponse, exchange: Exchange): void {
    const proxy = proxies[exchange.target % proxies.length];
    if (!proxy) throw new Error(`${name} has no address`);
    // Network errors come as events; what is thrown is a request the proxy can't even make.
    proxy(req, res).catch((error: unknown) => failed(error instanceof Error ? error : new Error(String(error)), req, res));
  }

  function failed(error: Error, req: GatewayRequest, res: ServerResponse): void {
    const { exchange } = req;
    const code = 'code' in error ? String(error.code) : '';
    const safe = req.method === 'GET' || req.method === 'HEAD';
    const worthwhile = brokenConnection.has(code) || (code === 'ECONNREFUSED' && targets.length > 1);
    if (exchange && exchange.attempts === 1 && safe && worthwhile && !res.headersSent && !res.destroyed) {
      exchange.attempts += 1;
      exchange.target += 1;
      send(req, res, exchange);
      return;
    }
    if (!res.writableEnded) onFailure(req, res, 'down', error);
  }

  return (req, res) => {
    if (underWay.size >= maxInFlight) {
      onFailure(req, res, 'busy');
      return;
    }
    turn = (turn + 1) % targets.length;
    req.exchange = { attempts: 1, target: turn, deadline: performance.now() + answerWithinMs };
    underWay.add(req, res);
    send(req, res, req.exchange);
  };
}
