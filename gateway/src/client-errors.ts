import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { problemKinds, type Problem, type ProblemCode } from '@clinic/contracts/problems';
import { commonHeaders } from './headers.ts';
import type { Logger } from 'pino';

/** What Node says of a request that it can't read, by the code of its error. */
const codes: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Errors of the connection, not of what came over it: nobody is there to be answered. */
const connectionErrors = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/** A connection with the answer that it waits for: a field costs less than a map beside. */
interface AnsweredSocket extends Socket {
  latestAnswer?: ServerResponse;
}

/**
 * Answers what is no HTTP with a problem, and closes the connection: after an error nobody knows where the next request
 * begins (RFC 9112, section 11.2). While an answer is being written, the connection is only cut.
 */
export function answerClientErrors(server: Server, log: Logger): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: AnsweredSocket) => {
    const { code = '' } = error;
    const answer = socket.latestAnswer;
    if (connectionErrors.has(code) || !socket.writable || (answer && !answer.writableFinished && answer.headersSent)) {
      socket.destroy();
      return;
    }
    const problem = problemOf(code);
    log.warn({ code, address: socket.remoteAddress, status: problem.status }, 'unreadable request');
    const body = JSON.stringify(problem);
    const head = { 'content-type': 'application/problem+json', 'content-length': Buffer.byteLength(body), 'cache-control': 'no-store', connection: 'close' };
    const lines = [...Object.entries(head), ...commonHeaders].map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${problem.status} ${statusTexts[problem.status] ?? 'Bad Request'}\r\n${lines.join('')}\r\n${body}`);
  });
}

/**
 * Handles a connection's requests one after the other: somebody who sends the next one before the answer has come means
 * it to come after (RFC 9112, section 9.3.2), and only who knows what is under way can answer errors rightly.
 */
export function inTurn<Req extends IncomingMessage>(handle: (req: Req, res: ServerResponse) => void): (req: Req, res: ServerResponse) => void {
  return (req, res) => {
    const socket: AnsweredSocket = req.socket;
    const earlier = socket.latestAnswer;
    socket.latestAnswer = res;
    if (!earlier || earlier.writableFinished || earlier.destroyed) handle(req, res);
    else earlier.once('close', () => !socket.destroyed && handle(req, res));
  };
}

const statusTexts: Readonly<Record<number, string>> = { 400: 'Bad Request', 408: 'Request Timeout', 413: 'Payload Too Large', 431: 'Request Header Fields Too Large' };

function problemOf(error: string): Problem {
  const code = codes[error] ?? 'malformed_request';
  const { status, title } = problemKinds[code];
  return { type: `/problems/${code}`, title, status, code };
}
