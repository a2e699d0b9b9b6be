import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { problemKinds, type ProblemCode } from '@clinic/contracts';

/** A request as the test server received it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

/** A response of the test server; `never` leaves the client waiting. */
export type TestAnswer =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly json?: unknown;
      readonly text?: string;
    }
  | 'never';

/** What answers a test's requests. */
export type TestHandler = (request: SeenRequest) => TestAnswer | Promise<TestAnswer>;

export interface TestServer {
  readonly url: string;
  readonly seen: SeenRequest[];
  readonly close: () => Promise<void>;
}

/** A real HTTP server whose responses the test defines. */
export async function startTestServer(answer: TestHandler): Promise<TestServer> {
  const seen: SeenRequest[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const request = {
        method: req.method ?? '',
        url: req.url ?? '',
        headers: req.headers,
        body: text ? parsed(text, req.headers['content-type']) : undefined,
      };
      seen.push(request);
      void Promise.resolve(answer(request)).then((reply) => {
        if (reply === 'never') return;
        const { status = 200, headers = {}, json, text: plain } = reply;
        const type = plain === undefined ? 'application/json' : 'text/html';
        res
          .writeHead(status, { 'content-type': type, ...headers })
          .end(plain ?? (json === undefined ? '' : JSON.stringify(json)));
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

/** @returns forms as text */
function parsed(text: string, type = ''): unknown {
  return type.includes('urlencoded') ? text : (JSON.parse(text) as unknown);
}

/** The problem response for a code, as the services send it. */
export function problemAnswer(code: ProblemCode, more: Readonly<Record<string, unknown>> = {}): TestAnswer {
  const { status, title } = problemKinds[code];
  return {
    status,
    headers: { 'content-type': 'application/problem+json' },
    json: { type: `/problems/${code}`, title, status, code, ...more },
  };
}

const realFetch = globalThis.fetch;
let reached = '';

// One function for all tests of a file: Firebase's SDK keeps the first one it sees.
const fetchFromServer: typeof fetch = (input, init) => {
  const requested = new URL(input instanceof Request ? input.url : input, location.href);
  return realFetch(new URL(requested.pathname + requested.search, reached), init);
};

/** Sends the page's own calls, which have no host, to the test's server, over the network. */
export function reachServer({ url }: Pick<TestServer, 'url'>): void {
  reached = url;
  globalThis.fetch = fetchFromServer;
}

/** An account at the test's identity provider. */
export interface TestAccount {
  email: string;
  password: string;
  emailVerified?: boolean;
}

/** A code from a mail, as Firebase names its kinds. */
export interface TestCode {
  readonly requestType: 'VERIFY_EMAIL' | 'PASSWORD_RESET' | 'VERIFY_AND_CHANGE_EMAIL' | 'RECOVER_EMAIL';
  readonly email: string;
  readonly newEmail?: string;
}

/** The calls of Firebase's SDK that the pages need, answered like the emulator. */
export class TestFirebase {
  readonly accounts: TestAccount[] = [];
  /** Codes that haven't been used yet. */
  readonly codes = new Map<string, TestCode>();
  /** Mails that would have been sent. */
  readonly mails: { readonly requestType: string; readonly email: string; readonly continueUrl?: string }[] = [];

  /** @returns `undefined` for calls that aren't Firebase's */
  answer({ url, body }: SeenRequest): TestAnswer | undefined {
    if (url.includes('/v1/token?')) {
      const { idToken, refreshToken, expiresIn } = signedIn(
        this.#of(new URLSearchParams(String(body)).get('refresh_token') ?? ''),
      );
      return { json: { access_token: idToken, refresh_token: refreshToken, expires_in: expiresIn } };
    }
    const call = /\/v1\/accounts:(\w+)\?/.exec(url)?.[1];
    if (call === undefined) return undefined;
    const sent = body as {
      email?: string;
      password?: string;
      newPassword?: string;
      idToken?: string;
      oobCode?: string;
      requestType?: string;
      continueUrl?: string;
    };
    switch (call) {
      case 'signUp':
        return this.#signUp(sent);
      case 'signInWithPassword': {
        const account = this.accounts.find(({ email, password }) => email === sent.email && password === sent.password);
        return account ? { json: signedIn(account) } : rejected('INVALID_LOGIN_CREDENTIALS');
      }
      case 'lookup':
        return { json: { users: [lookedUp(this.#of(sent.idToken))] } };
      case 'sendOobCode': {
        const email = sent.email ?? this.#of(sent.idToken).email;
        this.mails.push({
          requestType: String(sent.requestType),
          email,
          ...(sent.continueUrl !== undefined && { continueUrl: sent.continueUrl }),
        });
        return { json: { email } };
      }
      case 'resetPassword':
        return this.#useCode(sent.oobCode, (_, account) => {
          if (sent.newPassword === undefined) return false;
          Object.assign(account, { password: sent.newPassword, emailVerified: true });
          return true;
        });
      case 'update': {
        if (sent.oobCode !== undefined) {
          return this.#useCode(sent.oobCode, ({ newEmail }, account) => {
            Object.assign(account, { emailVerified: true, ...(newEmail !== undefined && { email: newEmail }) });
            return true;
          });
        }
        const account = this.#of(sent.idToken);
        if (sent.password !== undefined) account.password = sent.password;
        return { json: signedIn(account) };
      }
      default:
        return rejected('OPERATION_NOT_ALLOWED');
    }
  }

  #signUp({ email = '', password = '' }: { email?: string; password?: string }): TestAnswer {
    if (this.accounts.some((account) => account.email === email)) return rejected('EMAIL_EXISTS');
    const account = { email, password, emailVerified: false };
    this.accounts.push(account);
    return { json: signedIn(account) };
  }

  #of(idToken: string | undefined): TestAccount {
    const { email } = JSON.parse(Buffer.from(String(idToken).split('.')[1] ?? '', 'base64url').toString()) as {
      email: string;
    };
    const account = this.accounts.find((one) => one.email === email);
    if (!account) throw new Error(`no account ${email}`);
    return account;
  }

  #useCode(code: string | undefined, apply: (code: TestCode, account: TestAccount) => boolean): TestAnswer {
    const found = this.codes.get(String(code));
    const account = found && this.accounts.find(({ email }) => email === found.email);
    if (!found || !account) return rejected(code === 'expired' ? 'EXPIRED_OOB_CODE' : 'INVALID_OOB_CODE');
    if (apply(found, account)) this.codes.delete(String(code));
    return { json: { ...found, kind: 'identitytoolkit#ResetPasswordResponse' } };
  }
}

const rejected = (message: string): TestAnswer => ({ status: 400, json: { error: { code: 400, message } } });

/** With an unsigned token, like the emulator's; a refresh token says whose it is. */
function signedIn({ email, emailVerified = false }: TestAccount) {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1_000);
  const idToken = `${part({ alg: 'none' })}.${part({ sub: `uid-of-${email}`, email, email_verified: emailVerified, iat: now, exp: now + 3_600, auth_time: now })}.`;
  return { localId: `uid-of-${email}`, email, idToken, refreshToken: idToken, expiresIn: '3600', registered: true };
}

const lookedUp = ({ email, emailVerified = false }: TestAccount): object => ({
  localId: `uid-of-${email}`,
  email,
  emailVerified,
  providerUserInfo: [{ providerId: 'password', email, rawId: email }],
  lastLoginAt: '0',
  createdAt: '0',
});
