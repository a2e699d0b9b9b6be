import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Context } from '../context.ts';
import { sendProblem, sendUnknown } from './answers.ts';
import { answerClientErrors, type AnsweredSocket } from './client-errors.ts';
import { GatewayRequest } from './gateway-request.ts';
import { faultOf } from './request-rules.ts';

export interface ServerOptions extends Pick<Context, 'log' | 'headWithinMs' | 'requestWithinMs' | 'readWithinMs'> {
  /** Called first with every request: gives it its id, and records its response in log, metrics and traces. */
  readonly begin: (req: GatewayRequest, res: ServerResponse) => void;
  /** While stopping, every response closes its connection. */
  readonly isStopping: () => boolean;
  /** Answers well-formed requests. */
  readonly answer: (req: GatewayRequest, res: ServerResponse, next: (error?: unknown) => void) => void;
}

/** The HTTP server in front of Express: strict about what it accepts, one request of a connection at a time. */
export function openServer(options: ServerOptions): Server {
  const { headWithinMs = 10_000, requestWithinMs = 30_000, readWithinMs = 30_000 } = options;
  const { log, begin, isStopping, answer } = options;

  function handle(req: GatewayRequest, res: ServerResponse): void {
    begin(req, res);
    if (isStopping()) res.shouldKeepAlive = false;
    // Express would parse any address, even one that isn't a path.
    const fault = faultOf(req);
    if (fault) return sendProblem(req, res, ...fault);
    const next = (error?: unknown): void => {
      if (error === undefined) return sendUnknown(req, res);
      log.error({ err: error, requestId: req.requestId }, 'request failed');
      sendProblem(req, res, 'internal');
    };
    try {
      answer(req, res, next);
    } catch (error) {
      next(error);
    }
  }

  const server = createServer(
    // `faultOf` handles a missing Host: Node's own response would lack our headers and a problem code.
    {
      IncomingMessage: GatewayRequest,
      requireHostHeader: false,
      // A request without a body gets no stream of one, which costs 5 % of the processor time.
      optimizeEmptyRequests: true,
      // Longer than the 60 s of most proxies, so that they close an idle connection first, and no request of theirs meets its end.
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
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  // Nothing was sent for so long: a connection is idle, there is nothing to send yet, or nobody reads it.
  server.setTimeout(readWithinMs, (socket: AnsweredSocket) => {
    if (socket.latestAnswer?.writableFinished !== false || socket.writableLength > 0) socket.destroy();
  });
  // Each upstream's http-proxy-middleware listens to `close`.
  server.setMaxListeners(0);
  answerClientErrors(server, log);
  return server;
}

type Handle = (req: GatewayRequest, res: ServerResponse) => void;

/**
 * Handles a connection's pipelined requests one at a time: responses must keep the order of the requests (RFC 9112,
 * section 9.3.2), and errors can only be answered correctly if we know which response is in flight.
 */
function oneAtATime(handle: Handle): Handle {
  return (req, res) => {
    const socket: AnsweredSocket = req.socket;
    const earlier = socket.latestAnswer;
    socket.latestAnswer = res;
    if (!earlier || earlier.writableFinished || earlier.destroyed) handle(req, res);
    else earlier.once('close', () => !socket.destroyed && handle(req, res));
  };
}
