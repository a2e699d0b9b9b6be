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

const realFetch = globalThis.fetch;
let reached = '';

// One function for all tests of a file: Firebase's SDK keeps the first that it sees.
const fetchFromServer: typeof fetch = (input, init) => {
  const wanted = new URL(input instanceof Request ? input.url : input, location.href);
  return realFetch(new URL(wanted.pathname + wanted.search, reached), init);
};

/** Sends the page's own calls, which name no host, to a server of the test, over the network. */
export function reachServer({ url }: Pick<TestServer, 'url'>): void {
  reached = url;
  globalThis.fetch = fetchFromServer;
}

/** An account at the identity provider, for {@link answerAsFirebase}. */
export interface TestAccount {
  readonly email: string;
  readonly password: string;
  readonly emailVerified?: boolean;
}

/** Answers the calls that Firebase's SDK makes to sign somebody in, as the emulator does. @returns nothing for other calls */
export function answerAsFirebase({ url, body }: SeenRequest, accounts: readonly TestAccount[]): TestAnswer | undefined {
  const call = /\/v1\/accounts:(\w+)\?/.exec(url)?.[1];
  if (call === undefined) return undefined;
  const sent = body as { readonly email?: string; readonly password?: string; readonly idToken?: string };
  const refused = (message: string): TestAnswer => ({ status: 400, json: { error: { code: 400, message } } });
  if (call === 'signInWithPassword') {
    const account = accounts.find(({ email, password }) => email === sent.email && password === sent.password);
    if (!account) return refused('INVALID_LOGIN_CREDENTIALS');
    const { email, emailVerified = false } = account;
    return { json: { localId: `uid-of-${email}`, email, idToken: tokenOf(email, emailVerified), refreshToken: 'refresh', expiresIn: '3600', registered: true } };
  }
  if (call === 'lookup') {
    const { email, email_verified: emailVerified } = JSON.parse(Buffer.from(String(sent.idToken).split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
    return { json: { users: [{ localId: `uid-of-${String(email)}`, email, emailVerified, providerUserInfo: [{ providerId: 'password', email, rawId: email }], lastLoginAt: '0', createdAt: '0' }] } };
  }
  return refused('OPERATION_NOT_ALLOWED');
}

/** An unsigned token, as the emulator's are. */
function tokenOf(email: string, emailVerified: boolean): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1_000);
  return `${part({ alg: 'none' })}.${part({ sub: `uid-of-${email}`, email, email_verified: emailVerified, iat: now, exp: now + 3_600, auth_time: now })}.`;
}
