import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { after, before, beforeEach } from 'node:test';
import type { Problem } from '@clinic/contracts';
import { connectTo, raw, type RawAnswer, type RawConnection } from './raw.ts';
import { serve, type Echo, type TestServer } from './servers.ts';
import { startGateway, type TestGateway, type TestGatewayOptions } from './start-gateway.ts';

type Respond = (req: IncomingMessage, res: ServerResponse, body: string) => void;

/** Echoes the request. */
export const echoBack: Respond = (req, res, body) => {
  const text = JSON.stringify({
    service: 'clinic',
    method: req.method ?? '',
    url: req.url ?? '',
    headers: req.headers,
    body,
  } satisfies Echo);
  res.setHeader('Content-Type', 'application/json');
  res.setHeader('Content-Length', Buffer.byteLength(text));
  res.end(req.method === 'HEAD' ? undefined : text);
};

/** A gateway in front of one service, for the tests of a file or group. Tests write raw bytes to it. */
export class RawGateway {
  #gateway: TestGateway | undefined;
  /** Requests the service received in this test, as `METHOD url`. */
  seen: string[] = [];
  /** The service's response in this test. */
  respond: Respond = echoBack;

  constructor(options: TestGatewayOptions = {}) {
    let service: TestServer;
    before(async () => {
      service = await serve((req, res) => {
        this.seen.push(`${req.method} ${req.url}`);
        let body = '';
        req.on('data', (chunk: Buffer) => (body += chunk.toString()));
        req.on('end', () => this.respond(req, res, body));
      });
      this.#gateway = await startGateway({}, { ...options, services: { clinic: service.url } });
    });
    beforeEach(() => {
      this.seen = [];
      this.respond = echoBack;
    });
    after(async () => {
      await this.#gateway?.close();
      await service.close();
    });
  }

  get port(): number {
    return this.#gateway?.port ?? 0;
  }

  connect(): Promise<RawConnection> {
    return connectTo(this.port);
  }

  ask(request: string): Promise<RawAnswer> {
    return raw(this.port, request);
  }

  /** Everything that is sent in response, until the connection ends. */
  async everythingFor(request: string): Promise<string> {
    using connection = await this.connect();
    return await connection.write(request).rest();
  }

  get(path: string, headers = ''): Promise<RawAnswer> {
    return this.ask(get(path, headers));
  }

  /** Asserts that a request is answered with a problem and that nothing reached the service. @returns the answer */
  async rejects(request: string, status: number, code: string, what: string): Promise<RawAnswer> {
    const answer = await this.ask(request);
    this.assertRejected(answer, status, code, what);
    return answer;
  }

  /** Asserts that the answer is a problem and that nothing reached the service. */
  assertRejected(answer: RawAnswer, status: number, code: string, what: string): void {
    assert.equal(answer.status, status, what);
    assert.equal(answer.headers['content-type'], 'application/problem+json', what);
    assert.equal(codeOf(answer), code, what);
    assert.deepEqual(this.seen, [], what);
  }
}

/** A request without a body. */
export function get(path = '/appoinments', headers = '', method = 'GET'): string {
  return `${method} ${path} HTTP/1.1\r\nHost: clinic.example\r\n${headers}\r\n`;
}

/** A request with a body. */
export function post(headers: string, body: string): string {
  return `POST /appoinments HTTP/1.1\r\nHost: clinic.example\r\nContent-Type: application/json\r\n${headers}\r\n${body}`;
}

export function codeOf({ body }: RawAnswer): string {
  return (JSON.parse(body) as Problem).code;
}

export function echoOf({ body }: RawAnswer): Echo {
  return JSON.parse(body) as Echo;
}
