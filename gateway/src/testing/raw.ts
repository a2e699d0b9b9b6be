import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A response as received over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly reason: string;
  /** Names in lower case; the last of several fields with the same name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A connection to which a test writes raw bytes. */
export class RawConnection {
  readonly socket: Socket;
  #received = Buffer.alloc(0);
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake?.();
    });
    socket.on('close', () => {
      this.#ended = true;
      this.#wake?.();
    });
    // A reset is an end too: what came before it counts.
    socket.on('error', () => undefined);
  }

  write(text: string): this {
    this.socket.write(text, 'latin1');
    return this;
  }

  /**
   * Reads the next response.
   *
   * @param method - method of the request: a response to HEAD has no body
   * @throws Error if the connection ends before it is complete
   */
  async answer(method = 'GET'): Promise<RawAnswer> {
    for (;;) {
      const parsed = parse(this.#received, method, this.#ended);
      if (parsed) {
        this.#received = this.#received.subarray(parsed.length);
        return parsed.answer;
      }
      if (this.#ended)
        throw new Error(`ended after ${JSON.stringify(this.#received.toString('latin1').slice(0, 300))}`);
      await this.#more();
    }
  }

  /** Everything until the connection ends. */
  async rest(): Promise<string> {
    while (!this.#ended) await this.#more();
    return this.#received.toString('latin1');
  }

  /** Waits for a text. @returns everything up to and including it */
  async until(text: string): Promise<string> {
    for (;;) {
      const at = this.#received.indexOf(text, 0, 'latin1');
      if (at !== -1) {
        const found = this.#received.subarray(0, at + text.length).toString('latin1');
        this.#received = this.#received.subarray(at + text.length);
        return found;
      }
      if (this.#ended) throw new Error(`ended without ${text}: ${this.#received.toString('latin1').slice(0, 300)}`);
      await this.#more();
    }
  }

  /** Closes it at the end of a test's `using`. */
  [Symbol.dispose](): void {
    this.socket.destroy();
  }

  async #more(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    await promise;
  }
}

/** Connects to a server on the loopback. */
export async function connectTo(port: number): Promise<RawConnection> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return new RawConnection(socket);
}

/** Sends one request on its own connection and reads the response. */
export async function raw(port: number, request: string): Promise<RawAnswer> {
  using connection = await connectTo(port);
  return await connection.write(request).answer(/^\S+/.exec(request)?.[0]);
}

function parse(
  bytes: Buffer,
  method: string,
  ended: boolean,
): { readonly answer: RawAnswer; readonly length: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const [statusLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const [, status = '', reason = ''] = /^HTTP\/1\.1 (\d{3}) ?(.*)$/.exec(statusLine) ?? [];
  if (status === '') throw new Error(`no status line: ${statusLine}`);
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const begin = headEnd + 4;
  const whole = (body: string, length: number) => ({
    answer: { status: Number(status), reason, headers, body },
    length: begin + length,
  });
  if (method === 'HEAD' || status === '304' || status === '204' || status.startsWith('1')) return whole('', 0);
  if (headers['transfer-encoding'] === 'chunked') {
    const chunks = readChunks(bytes.subarray(begin));
    return chunks && whole(chunks.body, chunks.length);
  }
  const length = Number(headers['content-length'] ?? NaN);
  if (Number.isNaN(length))
    return ended ? whole(bytes.subarray(begin).toString('latin1'), bytes.length - begin) : undefined;
  return bytes.length >= begin + length
    ? whole(bytes.subarray(begin, begin + length).toString('latin1'), length)
    : undefined;
}

function readChunks(bytes: Buffer): { readonly body: string; readonly length: number } | undefined {
  let body = '';
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return undefined;
    if (size === 0) return { body, length: next };
    body += bytes.subarray(lineEnd + 2, lineEnd + 2 + size).toString('latin1');
    at = next;
  }
}
