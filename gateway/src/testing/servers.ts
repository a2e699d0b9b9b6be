import { once } from 'node:events';
import { createServer, request, type IncomingHttpHeaders, type IncomingMessage, type RequestListener } from 'node:http';
import { holdPort } from '@clinic/service-kit/testing/hold-port';

/** Closed by `await using` at the end of a test. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** A server on a free loopback port that answers 404 to the gateway's own requests. */
export function serve(listener: RequestListener, port = 0): Promise<TestServer> {
  return serveAll((req, res) => {
    if (/^\/(?:health|\.well-known)\//.test(req.url ?? '')) res.writeHead(404).end();
    else listener(req, res);
  }, port);
}

/** A server on a free loopback port, which stays free for the next one there, whose listener gets all requests. */
export async function serveAll(listener: RequestListener, wanted = 0, host = '127.0.0.1'): Promise<TestServer> {
  const server = createServer(listener);
  const port = wanted === 0 ? await holdPort() : wanted;
  await once(server.listen(port, host), 'listening');
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    server.closeAllConnections();
    await new Promise<void>((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())));
  };
  return { url: `http://${host}:${port}`, port, close, [Symbol.asyncDispose]: close };
}

/** A service that echoes its requests. */
export function echo(name: string): RequestListener {
  return (req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      res.setHeader('Set-Cookie', ['a=1', 'b=2']);
      res.setHeader('X-Powered-By', 'something');
      res.setHeader('Content-Type', 'application/json');
      res.end(
        JSON.stringify({
          service: name,
          method: req.method,
          url: req.url,
          headers: req.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
  };
}

export interface Echo {
  readonly service: string;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What {@link ask} sends, besides the path. */
export interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  json<T>(): T;
}

/** A plain client: `fetch` would resolve dot segments and reject some headers. */
export async function ask(url: string, path: string, init: Sent = {}): Promise<Answer> {
  const res = await open(url, path, init);
  const chunks: Buffer[] = [];
  for await (const chunk of res) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return { status: res.statusCode ?? 0, headers: res.headers, text, json: <T>() => JSON.parse(text) as T };
}

/** Like {@link ask}, but returns as soon as the response starts. */
export function open(
  url: string,
  path: string,
  { method = 'GET', headers = {}, body }: Sent = {},
): Promise<IncomingMessage> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, method, headers }, resolve).on('error', reject).end(body);
  });
}
