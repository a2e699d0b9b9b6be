import type { ServerResponse } from 'node:http';
import { createProxyMiddleware } from 'http-proxy-middleware';
import type { GatewayRequest } from './gateway-request.ts';

/**
 * http-proxy-middleware, the gateway's only way to services, file servers and the Auth emulator. A proxied request
 * picks its replica before each attempt (`router`) and handles its outcome (the events).
 *
 * Its default plugins are left out: they write a log line of their own and parse each address twice. The response is
 * written by the proxied request, because copying headers one by one costs more than everything else here.
 */
export const forward = createProxyMiddleware<GatewayRequest, ServerResponse>({
  router: (req, _res, options) => proxiedOf(req).route(options),
  selfHandleResponse: true,
  ejectPlugins: true,
  plugins: [
    (proxy) => {
      proxy.on('proxyReq', (outgoing, req) => proxiedOf(req).sending(outgoing));
      proxy.on('proxyRes', (incoming, req) => proxiedOf(req).answered(incoming));
      proxy.on('error', (error, req, res) => req?.proxied?.failed(error, res));
      // The client's connection broke.
      proxy.on('econnreset', (_error, req) => req.proxied?.giveUp());
    },
  ],
});

function proxiedOf({ proxied }: GatewayRequest): NonNullable<GatewayRequest['proxied']> {
  if (!proxied) throw new Error('only proxied requests are forwarded');
  return proxied;
}
