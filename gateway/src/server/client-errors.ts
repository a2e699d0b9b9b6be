import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { problemKinds, type ProblemCode } from '@clinic/contracts/problems';
import type { Logger } from 'pino';
import { problemText, problemType } from './answers.ts';
import { commonHeaders } from './common-headers.ts';

/** Problem codes for requests that Node can't parse, by Node's error code. */
const codes: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** The connection itself failed, so there is no one to respond to. */
const connectionErrors = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/** A socket with the response it is waiting for: `clientError` names no request. */
export interface AnsweredSocket extends Socket {
  latestAnswer?: ServerResponse;
}

/**
 * Answers input that isn't valid HTTP with a problem and closes the connection: after a parse error there is no telling
 * where the next request starts (RFC 9112, section 11.2). If a response is being written, it only drops the connection.
 */
export function answerClientErrors(server: Server, log: Logger): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: AnsweredSocket) => {
    const { code = '' } = error;
    const answer = socket.latestAnswer;
    if (code === 'HPE_INVALID_TRANSFER_ENCODING' && answer?.statusCode === 501) {
      // That was answered already, from the head; there is no telling where the body ends.
      answer.end();
      return;
    }
    if (connectionErrors.has(code) || !socket.writable || (answer && !answer.writableFinished && answer.headersSent)) {
      socket.destroy();
      return;
    }
    const problem = codes[code] ?? 'malformed_request';
    const { status } = problemKinds[problem];
    log.warn({ code, address: socket.remoteAddress, status }, 'unreadable request');
    const body = problemText(problem);
    const head = {
      'content-type': problemType,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      connection: 'close',
    };
    const lines = [...Object.entries(head), ...commonHeaders].map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  });
}
