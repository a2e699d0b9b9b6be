import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { problemKinds, type ProblemCode } from '@clinic/contracts';

/** A request as the little server saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

/** An answer of the little server; `never` leaves the client waiting. */
export type TestAnswer = { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly json?: unknown; readonly text?: string } | 'never';

export interface TestServer {
  readonly url: string;
  readonly seen: SeenRequest[];
  readonly close: () => Promise<void>;
}

/** A real HTTP server whose answers a test writes itself. */
export async function startTestServer(answer: (request: SeenRequest) => TestAnswer | Promise<TestAnswer>): Promise<TestServer> {
  const seen: SeenRequest[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const request = { method: req.method ?? '', url: req.url ?? '', headers: req.headers, body: text ? (JSON.parse(text) as unknown) : undefined };
      seen.push(request);
      void Promise.resolve(answer(request)).then((reply) => {
        if (reply === 'never') return;
        const { status = 200, headers = {}, json, text: plain } = reply;
        const type = plain === undefined ? 'application/json' : 'text/html';
        res.writeHead(status, { 'content-type': type, ...headers }).end(plain ?? (json === undefined ? '' : JSON.stringify(json)));
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The problem answer of a code, as the services write it. */
export function problemAnswer(code: ProblemCode, more: Readonly<Record<string, unknown>> = {}): TestAnswer {
  const { status, title } = problemKinds[code];
  return { status, headers: { 'content-type': 'application/problem+json' }, json: { type: `/problems/${code}`, title, status, code, ...more } };
}
