import { Agent, request, type IncomingHttpHeaders } from 'node:http';

/** Milliseconds without an answer that count as a hang. */
const hangMs = 45_000;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A raw request: unlike `fetch`, this resolves no dot segments and allows every method. */
export interface Outgoing {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
}

/** A client with keep-alive connections. */
export class RawClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 32 });
  readonly #url: URL;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  /**
   * @returns the whole answer; for an event stream, its first part
   * @throws Error when the connection breaks, or no answer comes
   */
  send({ method, target, headers, body }: Outgoing): Promise<Answer> {
    const { hostname, port } = this.#url;
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          hostname,
          port,
          method,
          path: target,
          agent: this.#agent,
          headers: { ...headers, ...(body && { 'content-length': body.length }) },
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          const done = (): void => {
            clearTimeout(hang);
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) });
          };
          if (incoming.headers['content-type']?.startsWith('text/event-stream')) {
            incoming.on('error', () => undefined).destroy();
            done();
            return;
          }
          incoming
            .on('data', (chunk: Buffer) => chunks.push(chunk))
            .on('end', done)
            .on('error', reject);
        },
      );
      const hang = setTimeout(() => outgoing.destroy(new Error(`no answer within ${hangMs} ms`)), hangMs);
      outgoing.on('error', (error) => {
        clearTimeout(hang);
        reject(error);
      });
      outgoing.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
