import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { cleanResponseHeaders } from './headers.ts';

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
  readonly onFailure: (req: IncomingMessage, res: ServerResponse, reason: FailureReason, error?: Error) => void;
}

/** Sends a request on; the answer is given in any case. */
export type Upstream = (req: IncomingMessage, res: ServerResponse) => void;

/** Errors that mean the server closed a kept connection just then; the request was not worked on. */
const brokenConnection = new Set(['ECONNRESET', 'EPIPE']);

interface Exchange {
  attempts: number;
  target: number;
  timer?: NodeJS.Timeout;
  proxyReq?: ClientRequest;
}

/** A group of equal servers behind the gateway. */
export function createUpstream({ name, targets, changeOrigin = false, answerWithinMs = 30_000, maxInFlight = 200, onFailure }: UpstreamOptions): Upstream {
  const agent = new Agent({ keepAlive: true, maxSockets: 256, maxFreeSockets: 64 });
  const exchanges = new WeakMap<IncomingMessage, Exchange>();
  let inFlight = 0;
  let turn = 0;

  const proxies = targets.map((target) =>
    createProxyMiddleware<IncomingMessage, ServerResponse>({
      target,
      changeOrigin,
      agent,
      // The default plugins cost a tenth of the throughput, and answer errors in their own way.
      ejectPlugins: true,
      plugins: [
        (proxy) => {
          proxy.on('proxyReq', (proxyReq, req) => {
            const exchange = exchanges.get(req);
            if (exchange) exchange.proxyReq = proxyReq;
          });
          proxy.on('proxyRes', (proxyRes, req, res) => {
            clearTimeout(exchanges.get(req)?.timer);
            cleanResponseHeaders(proxyRes, res as ServerResponse);
          });
          proxy.on('error', (error, req, res) => {
            if (req && res && 'setHeader' in res) failed(error, req, res);
          });
        },
      ],
    }),
  );

  function send(req: IncomingMessage, res: ServerResponse, exchange: Exchange): void {
    const proxy = proxies[exchange.target % proxies.length];
    if (!proxy) throw new Error(`${name} has no address`);
    // Network errors come as events; what is thrown is a request the proxy can't even make.
    proxy(req, res).catch((error: unknown) => failed(error instanceof Error ? error : new Error(String(error)), req, res));
  }

  function failed(error: Error, req: IncomingMessage, res: ServerResponse): void {
    const exchange = exchanges.get(req);
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
    if (inFlight >= maxInFlight) {
      onFailure(req, res, 'busy');
      return;
    }
    inFlight += 1;
    turn = (turn + 1) % targets.length;
    const exchange: Exchange = { attempts: 1, target: turn };
    exchange.timer = setTimeout(() => {
      onFailure(req, res, 'slow');
      exchange.proxyReq?.destroy();
    }, answerWithinMs);
    exchanges.set(req, exchange);
    res.once('close', () => {
      inFlight -= 1;
      clearTimeout(exchange.timer);
    });
    send(req, res, exchange);
  };
}
