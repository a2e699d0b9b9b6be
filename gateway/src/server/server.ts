import { createServer, type Server, type ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { sendProblem, sendUnknown } from './answers.ts';
import { answerClientErrors, oneAtATime } from './client-errors.ts';
import { GatewayRequest } from './gateway-request.ts';
import { rejectMalformed } from './request-rules.ts';

export interface ServerOptions {
  readonly log: Logger;
  /** Milliseconds allowed for the headers of a request to arrive, and for all of it. */
  readonly headWithinMs?: number;
  readonly requestWithinMs?: number;
  /** Milliseconds that a client may leave a response unread. */
  readonly readWithinMs?: number;
  /** Called first with every request. */
  readonly identify: (req: GatewayRequest) => void;
  /** Records a request's response in log, metrics and traces. */
  readonly record: (req: GatewayRequest, res: ServerResponse) => void;
  /** While stopping, every response closes its connection. */
  readonly isStopping: () => boolean;
  /** Answers well-formed requests. */
  readonly app: RequestHandler;
}

/** The HTTP server in front of Express: strict about what it accepts, one request of a connection at a time. */
export function openServer(options: ServerOptions): Server {
  const { headWithinMs = 10_000, requestWithinMs = 30_000, readWithinMs = 30_000 } = options;
  const { log, identify, record, isStopping, app } = options;

  function handle(req: GatewayRequest, res: ServerResponse): void {
    identify(req);
    if (isStopping()) res.shouldKeepAlive = false;
    record(req, res);
    // Nothing was sent for so long: either there is nothing to send, or nobody reads it.
    res.setTimeout(readWithinMs, () => res.writableLength > 0 && res.destroy());
    // Express would parse any address, even one that isn't a path.
    if (rejectMalformed(req, res)) return;
    // Express makes these its own requests and responses.
    app(req as Parameters<RequestHandler>[0], res as Parameters<RequestHandler>[1], (error?: unknown) => {
      if (error === undefined) return sendUnknown(req, res);
      log.error({ err: error, requestId: req.requestId }, 'request failed');
      sendProblem(req, res, 'internal');
    });
  }

  const server = createServer(
    // `rejectMalformed` handles a missing Host: Node's own response would lack our headers and a problem code.
    {
      IncomingMessage: GatewayRequest,
      requireHostHeader: false,
      optimizeEmptyRequests: true,
      keepAliveTimeout: 65_000,
      headersTimeout: headWithinMs,
      requestTimeout: requestWithinMs,
      connectionsCheckingInterval: Math.min(1000, headWithinMs),
    },
    oneAtATime(handle),
  );
  server.on('checkContinue', (req: GatewayRequest, res: ServerResponse) => {
    req.expectsContinue = true;
    server.emit('request', req, res);
  });
  // Node's own 417 would lack our headers and a problem code.
  server.on('checkExpectation', (req: GatewayRequest, res: ServerResponse) => {
    identify(req);
    sendProblem(req, res, 'malformed_request', 'Nothing but 100-continue can be expected.');
  });
  // Each upstream's http-proxy-middleware listens to `close`.
  server.setMaxListeners(0);
  answerClientErrors(server, log);
  return server;
}
