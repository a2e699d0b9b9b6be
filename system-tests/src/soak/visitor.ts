import { setTimeout as delay } from 'node:timers/promises';
import { demoPassword } from '@clinic/demo-data';

/** The outcome of a request, as far as the visitor can see. */
export interface Outcome {
  /** 0: no answer at all. */
  readonly status: number;
  /** Of the problem. */
  readonly code: string | undefined;
  readonly body: unknown;
  /** The outcome is unknown: no answer, or a part failed meanwhile. */
  readonly unknown: boolean;
}

/** Counts all answers, and collects invalid ones. */
export class Answers {
  readonly outcomes = new Map<string, number>();
  readonly violations: string[] = [];
  requests = 0;
  /** Connections to the gateway may fail until then, `performance.now()`. */
  gatewayDownUntil = 0;
  /** The current fault, if it leaves every part a working process: reads must succeed then. */
  peersOf: string | undefined;

  /**
   * @param peersOf - {@link Answers.peersOf} when the request was sent; `undefined` also for a change, which may be
   * lost with its process
   */
  note(what: string, status: number, code: string | undefined, peersOf: string | undefined): void {
    this.requests += 1;
    const outcome = status === 0 ? 'no answer' : `${status}${code === undefined ? '' : ` ${code}`}`;
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    if (peersOf !== undefined && peersOf === this.peersOf && (status === 0 || status >= 500))
      this.violate(`${what}: ${outcome} after '${peersOf}', although other processes were there`);
    if (status === 0 && performance.now() > this.gatewayDownUntil)
      this.violate(`${what}: no answer, although the gateway was up`);
    if (status === 500) this.violate(`${what}: 500 ${code}`);
  }

  violate(text: string): void {
    if (!this.violations.includes(text)) this.violations.push(text);
  }
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Whether a request was never sent, because nothing listened. */
const isRefused = (error: unknown): boolean =>
  ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED';

/** Milliseconds a visitor waits for an answer: the gateway may be paused for 20 s. */
const patience = 45_000;

/** A browser with its cookies, and the balancer in front of the gateways. */
export class Visitor {
  readonly #gateways: readonly string[];
  readonly #answers: Answers;
  readonly #cookies = new Map<string, string>();
  #turn = 0;
  email = '';

  /** @param gateways - addresses of the gateways, which take turns */
  constructor(gateways: readonly string[], answers: Answers) {
    this.#gateways = gateways;
    this.#answers = answers;
  }

  /** Sends one request; renews an expired access token once, as the pages do. */
  async ask(
    method: string,
    path: string,
    json?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Outcome> {
    const first = await this.#send(method, path, json, headers);
    if (first.status !== 401 || path.startsWith('/jwt') || !this.email) return first;
    const renewed = await this.#send('POST', '/jwt/refresh');
    return renewed.status === 200 ? this.#send(method, path, json, headers) : renewed.unknown ? renewed : first;
  }

  /** Retries until the outcome is known; only for requests that are safe to repeat. */
  async insist(
    method: string,
    path: string,
    json?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Outcome> {
    for (;;) {
      const outcome = await this.ask(method, path, json, headers);
      if (!outcome.unknown && outcome.status !== 429 && outcome.code !== 'in_progress') return outcome;
      await delay(250);
    }
  }

  /** An answer that doesn't end, as it comes. */
  stream(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.#gateways[0] ?? ''}${path}`, {
      ...init,
      headers: { 'sec-fetch-site': 'same-origin', cookie: this.#cookieHeader() },
    });
  }

  /** Signs in at the emulator and here, retrying as needed. @param profile - of a new person */
  async signIn(email: string, profile?: object): Promise<void> {
    const firebase = (call: string) =>
      this.insist('POST', `/identitytoolkit.googleapis.com/v1/accounts:${call}?key=demo-key`, {
        email,
        password: demoPassword,
        returnSecureToken: true,
      });
    let proof = profile ? await firebase('signUp') : await firebase('signInWithPassword');
    // The first attempt may have created the account, though its answer was lost.
    if (proof.status === 400 && profile) proof = await firebase('signInWithPassword');
    const authorization = `Bearer ${(proof.body as { idToken: string }).idToken}`;
    if (profile) await this.insist('POST', '/users', { email, ...profile }, { authorization });
    const session = await this.insist('POST', '/jwt', { email }, { authorization });
    if (session.status !== 200) throw new Error(`signing in ${email} answered ${session.status} ${session.code}`);
    this.email = email;
  }

  async #send(
    method: string,
    path: string,
    json?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Outcome> {
    const what = `${method} ${path.split('?')[0]?.replaceAll(/[0-9a-f]{24}/g, ':id')}`;
    const peersOf = method === 'GET' ? this.#answers.peersOf : undefined;
    try {
      const answer = await this.#throughDoors(path, {
        method,
        headers: {
          'sec-fetch-site': 'same-origin',
          cookie: this.#cookieHeader(),
          ...(json !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      });
      this.#keepCookies(answer);
      const outcome = this.#judge(what, answer, path.includes('googleapis') || headers['accept'] === 'text/html');
      this.#answers.note(what, outcome.status, outcome.code, peersOf);
      return outcome;
    } catch {
      this.#answers.note(what, 0, undefined, peersOf);
      return { status: 0, code: undefined, body: undefined, unknown: true };
    }
  }

  /**
   * Sends to the next gateway, and as the balancer does to another one if nothing was sent, or if a GET got no answer.
   */
  async #throughDoors(path: string, request: RequestInit): Promise<Answer> {
    let failure: unknown;
    const first = (this.#turn += 1);
    for (let tries = 0; tries < this.#gateways.length; tries += 1) {
      const gateway = this.#gateways[(first + tries) % this.#gateways.length] ?? '';
      try {
        const answer = await fetch(gateway + path, { ...request, signal: AbortSignal.timeout(patience) });
        return { status: answer.status, headers: answer.headers, text: await answer.text() };
      } catch (error) {
        failure = error;
        if (request.method !== 'GET' && !isRefused(error)) break;
      }
    }
    throw failure;
  }

  /** A valid answer is a success, or a problem with an explanation. */
  #judge(what: string, { status, headers, text }: Answer, isForeign: boolean): Outcome {
    const type = headers.get('content-type') ?? '';
    let body: unknown;
    if (type.includes('json')) {
      try {
        body = JSON.parse(text);
      } catch {
        this.#answers.violate(`${what}: ${status} with broken JSON`);
      }
    }
    const code = type.startsWith('application/problem+json')
      ? (body as { code?: string } | undefined)?.code
      : undefined;
    // Firebase's own errors and pages have other formats; they describe an outage in words.
    if (status >= 400 && code === undefined && !isForeign)
      this.#answers.violate(`${what}: ${status} without a problem document`);
    return { status, code, body, unknown: status >= 500 };
  }

  #cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #keepCookies({ headers }: Answer): void {
    for (const line of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /Max-Age=0|Expires=Thu, 01 Jan 1970/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
  }
}
