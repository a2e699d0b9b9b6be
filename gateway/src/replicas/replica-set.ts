import { lookup } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Logger } from 'pino';
import { gatewayAgent } from '@clinic/graceful-server';
import type { Context } from '../context.ts';
import { closesConnection } from './connections.ts';
import { isUnreachable } from './network-errors.ts';
import { Troubles } from '../troubles.ts';
import { repeat } from './repeat.ts';
import { Replica, type Readiness, type ReplicaRequest, type ReplicaResponse } from './replica.ts';

export interface ReplicaSetOptions {
  readonly name: string;
  /** Addresses of interchangeable servers. Each IP address of a host name is a replica. */
  readonly urls: readonly string[];
  /** A path polled on each replica, and a callback for its status and content. */
  readonly publication?: {
    readonly path: string;
    readonly onAnswer: (replica: Replica, status: number, text: string) => void;
  };
  /** Called when a replica is removed. */
  readonly onGone?: (replica: Replica) => void;
}

/** What of the gateway's parts it needs. */
type SetContext = Pick<Context, 'log' | 'resolve' | 'pollEveryMs' | 'ended'>;

/** Milliseconds within which a poll must be answered; a service may wait two seconds for its database. */
const answerWithinMs = 3_000;

const pollHeaders = { 'user-agent': gatewayAgent, accept: 'application/json' };

/** Milliseconds that polls wait for a lookup. A later result still counts. */
const lookUpWithinMs = 3_000;

/** The interchangeable servers behind a name: resolves them, polls their readiness, and picks one for each request. */
export class ReplicaSet {
  readonly #options: ReplicaSetOptions;
  readonly #resolve: NonNullable<Context['resolve']>;
  readonly #everyMs: number;
  readonly #log: Logger;
  #replicas: readonly Replica[];
  #first = 0;
  readonly #unresolved: Troubles<string>;
  /** Addresses whose names are being looked up, with what polls wait for. */
  readonly #lookups = new Map<string, Promise<void>>();
  readonly #ended: AbortSignal;

  constructor({ log, resolve = resolveHost, pollEveryMs, ended }: SetContext, options: ReplicaSetOptions) {
    this.#options = options;
    this.#resolve = resolve;
    this.#everyMs = pollEveryMs / 2;
    this.#log = log.child({ upstream: options.name });
    this.#unresolved = new Troubles(this.#log, 'name resolution failed');
    this.#replicas = options.urls.filter(isFixed).map((url) => new Replica(url));
    this.#ended = ended;
    void repeat(() => this.poll(), this.#everyMs, ended);
  }

  get all(): readonly Replica[] {
    return this.#replicas;
  }

  /**
   * Picks the ready replica with the fewest requests in flight. If none is ready, picks one that isn't: its own
   * response may be better than none.
   *
   * @param tried - replicas that have already failed this request; one of them comes last
   * @param mayRetry - whether the request may be retried: only such requests are the first to try a failed replica again
   */
  pick(now: number, tried: readonly Replica[], mayRetry: boolean): Replica | undefined {
    let best: Replica | undefined;
    const all = this.#replicas;
    this.#first = (this.#first + 1) % Math.max(1, all.length);
    for (let i = 0; i < all.length; i += 1) {
      const replica = all[(this.#first + i) % all.length];
      if (!replica || replica.waitFor(now) > 0) continue;
      if (mayRetry && replica.readiness === 'ready' && replica.isDue(now) && !tried.includes(replica)) {
        best = replica;
        break;
      }
      const isBetter = !best || rank(replica, tried) - rank(best, tried) || replica.inFlight - best.inFlight;
      if (isBetter === true || isBetter < 0) best = replica;
    }
    if (best?.isDue(now)) best.beginTrial(now);
    return best;
  }

  /** Seconds after which a retry is worthwhile. */
  retryAfter(now: number): number {
    const waits = this.#replicas.map((replica) => replica.waitFor(now));
    return Math.max(1, Math.ceil(Math.min(...(waits.length > 0 ? waits : [this.#everyMs])) / 1000));
  }

  /**
   * A response has begun, so the replica works. If it is closing its connections, perhaps because it is stopping, it gets
   * no new requests until it reports ready.
   */
  responseBegan(replica: Replica, incoming: IncomingMessage): void {
    replica.succeeded();
    if (!closesConnection(incoming) || replica.readiness === 'not ready') return;
    this.#setReadiness(replica, 'not ready', 'closing its connections');
    void this.#pollReplica(replica);
  }

  /** Nothing is listening: whatever starts there next must report ready before it gets requests. */
  lost(replica: Replica): void {
    replica.refused(performance.now());
    this.#setReadiness(replica, 'not ready', 'connection refused');
  }

  /**
   * Sends one of the gateway's own requests, to one replica after the other until a response can be read. Replicas are left out
   * and tried again by visitors' requests alone: a page that can't be rendered says nothing about its server's files.
   *
   * @param read - throws if the response is of no use
   * @param first - the replica to ask first; otherwise the one with the fewest requests in flight
   * @throws Error if none is ready, or the last one's
   */
  async ask<Read>(
    request: ReplicaRequest,
    read: (response: ReplicaResponse, replica: Replica) => Read,
    first?: Replica,
  ): Promise<Read> {
    const now = performance.now();
    const ready = this.#replicas
      .filter((replica) => replica.readiness !== 'not ready' && replica.waitFor(now) === 0)
      .toSorted((one, other) => Number(other === first) - Number(one === first) || one.inFlight - other.inFlight);
    let failure: unknown = new Error('its server isn’t ready');
    for (const replica of ready) {
      replica.inFlight += 1;
      try {
        return read(await replica.ask(request), replica);
      } catch (error) {
        if (isUnreachable(error)) this.lost(replica);
        failure = error;
      } finally {
        replica.inFlight -= 1;
      }
    }
    throw failure;
  }

  /** Polls now: resolves host names, and asks each replica whether it is ready and what it publishes. */
  async poll(): Promise<void> {
    const names = this.#options.urls.filter((url) => !isFixed(url));
    await Promise.all([
      ...this.#replicas.map((replica) => this.#pollReplica(replica)),
      ...names.map((url) => this.#lookups.get(url) ?? this.#beginLookUp(url)),
    ]);
  }

  /** Drops all connections. */
  destroy(): void {
    for (const replica of this.#replicas) replica.agent.destroy();
  }

  /** Polls a replica, after a poll in flight, as that one may have missed a recent change. */
  #pollReplica(replica: Replica): Promise<void> {
    replica.polled = replica.polled.then(() => this.#pollNow(replica));
    return replica.polled;
  }

  async #pollNow(replica: Replica): Promise<void> {
    if (!this.#isPolled(replica)) return;
    const answer = await poll(replica, '/health/ready');
    // It may have gone meanwhile.
    if (!this.#isPolled(replica)) return;
    if (answer instanceof Error) {
      if (isUnreachable(answer)) return this.lost(replica);
      return this.#setReadiness(replica, 'not ready', 'no response');
    }
    replica.reachable();
    if (answer.status === 503) this.#setReadiness(replica, 'not ready', answer.text.slice(0, 200));
    else this.#setReadiness(replica, 'ready', '');
    const { publication } = this.#options;
    if (!publication) return;
    const published = await poll(replica, publication.path);
    if (!(published instanceof Error) && this.#isPolled(replica))
      publication.onAnswer(replica, published.status, published.text);
  }

  #isPolled(replica: Replica): boolean {
    return !this.#ended.aborted && this.#replicas.includes(replica);
  }

  #setReadiness(replica: Replica, readiness: Replica['readiness'], reason: string): void {
    const before = replica.readiness;
    replica.readiness = readiness;
    replica.reason = reason;
    if (before === readiness) return;
    if (readiness === 'not ready') this.#log.warn({ replica: replica.name, reason }, 'replica not ready');
    else if (before === 'not ready') this.#log.info({ replica: replica.name }, 'replica ready again');
  }

  /** Looks up a host name, for as long as it takes. @returns when that is done, or polls shouldn't wait any longer */
  #beginLookUp(url: string): Promise<void> {
    const done = this.#lookUp(url).finally(() => this.#lookups.delete(url));
    const waited = Promise.race([done, new Promise<void>((resolve) => setTimeout(resolve, lookUpWithinMs).unref())]);
    this.#lookups.set(url, waited);
    return waited;
  }

  /** Looks up a host name, and polls the replicas that are new behind it. */
  async #lookUp(url: string): Promise<void> {
    const { hostname, host } = new URL(url);
    let ips: readonly string[];
    try {
      ips = await this.#resolve(hostname);
      this.#unresolved.end(url);
    } catch (error) {
      // Keep the known replicas: perhaps only name resolution is failing.
      return this.#unresolved.begin(url, (error as Error).message, { host });
    }
    if (this.#ended.aborted) return;
    await Promise.all(this.#take(url, host, ips).map((replica) => this.#pollReplica(replica)));
  }

  /** @returns the new replicas */
  #take(url: string, host: string, ips: readonly string[]): readonly Replica[] {
    const of = this.#replicas.filter((replica) => replica.host === host);
    const nameOf = (ip: string): string => `${host} (${ip})`;
    const current = new Set(ips.map(nameOf));
    const gone = of.filter(({ name }) => !current.has(name));
    const fresh = [...new Set(ips)]
      .filter((ip) => !of.some(({ name }) => name === nameOf(ip)))
      .map((ip) => new Replica(url, ip));
    if (gone.length === 0 && fresh.length === 0) return [];
    this.#replicas = [...this.#replicas.filter((replica) => !gone.includes(replica)), ...fresh];
    this.#log.info({ replicas: this.#replicas.map(({ name }) => name) }, 'replicas changed');
    for (const replica of gone) {
      this.#options.onGone?.(replica);
      replica.close();
    }
    return fresh;
  }
}

/** A new replica may listen before it can serve requests, so an unknown one ranks below a ready one. */
const ranks: Readonly<Record<Readiness, number>> = { ready: 0, unknown: 2, 'not ready': 4 };

/** Lower is better. */
function rank(replica: Replica, tried: readonly Replica[]): number {
  return ranks[replica.readiness] + (replica.isLeftOut ? 1 : 0) + (tried.includes(replica) ? 10 : 0);
}

function poll(replica: Replica, path: string): Promise<ReplicaResponse | Error> {
  return replica.ask({ path, headers: pollHeaders, withinMs: answerWithinMs }).catch((error: Error) => error);
}

/** The system resolver, which includes `/etc/hosts` and the names of a container network. */
async function resolveHost(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/** Whether a URL's host is an IP address, so that there is nothing to resolve. */
function isFixed(url: string): boolean {
  return isIP(new URL(url).hostname.replaceAll(/[[\]]/g, '')) !== 0;
}
