import type { Logger } from 'pino';
import { askReplica } from './ask-replica.ts';
import { Replica, type Readiness } from './replica.ts';
import { isFixed, resolveHost, type Resolve } from './resolve.ts';

export interface ReplicaSetOptions {
  readonly name: string;
  /** Addresses of equal servers. Each address of a host name is one. */
  readonly urls: readonly string[];
  readonly log: Logger;
  /** Ask each one whether it is ready; without, all are taken for ready. */
  readonly askReadiness: boolean;
  /** Milliseconds between two looks. */
  readonly everyMs: number;
  /** A path whose content each of them is asked for, and who is told of it, or of its absence. */
  readonly publication?: { readonly path: string; readonly onAnswer: (replica: Replica, status: number, text: string) => void };
  /** A replica is gone for good. */
  readonly onGone?: (replica: Replica) => void;
  readonly resolve?: Resolve;
}

/** So many looks pass between two questions for host names and publications. */
const seldom = 2;

/** The equal servers behind a name: who they are, which of them can work, and whose turn it is. */
export class ReplicaSet {
  readonly #options: ReplicaSetOptions;
  readonly #log: Logger;
  #replicas: readonly Replica[];
  #turn = 0;
  #looks = 0;
  #unresolved = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  readonly #looking = new Map<Replica, Promise<void>>();

  constructor(options: ReplicaSetOptions) {
    this.#options = options;
    this.#log = options.log.child({ upstream: options.name });
    this.#replicas = options.urls.filter(isFixed).map((url) => this.#open(url));
    void this.look().finally(() => this.#schedule());
  }

  get all(): readonly Replica[] {
    return this.#replicas;
  }

  /**
   * Whose turn it is: the one with the least to do among those that are ready; of those that are not, when there is no
   * other, since what it says may be better than nothing.
   *
   * @param tried - those that have failed at this request already
   * @param maySecond - whether the request may be sent to another one when this fails: such requests try whether a failed one is back
   */
  pick(now: number, tried: readonly Replica[] | undefined, maySecond: boolean): Replica | undefined {
    let best: Replica | undefined;
    const all = this.#replicas;
    this.#turn = (this.#turn + 1) % Math.max(1, all.length);
    for (let i = 0; i < all.length; i += 1) {
      const replica = all[(this.#turn + i) % all.length];
      if (!replica || tried?.includes(replica) || !replica.breaker.allows(now)) continue;
      if (maySecond && replica.readiness === 'ready' && replica.breaker.isDue(now)) {
        best = replica;
        break;
      }
      if (!best || rank(replica) < rank(best) || (rank(replica) === rank(best) && replica.inFlight < best.inFlight)) best = replica;
    }
    if (best?.breaker.isDue(now)) best.breaker.beginTrial();
    return best;
  }

  /** Seconds after which asking again is worth it. */
  retryAfter(now: number): number {
    const waits = this.#replicas.map(({ breaker }) => breaker.waitFor(now));
    return Math.max(1, Math.ceil(Math.min(...(waits.length > 0 ? waits : [seldom * this.#options.everyMs])) / 1000));
  }

  /** It has just said that it closes its connections, perhaps because it stops: it gets nothing new until it says what it does. */
  suspect(replica: Replica): void {
    if (!this.#options.askReadiness || replica.readiness === 'not ready') return;
    this.#say(replica, 'not ready', 'closes its connections');
    void this.#lookAt(replica, false);
  }

  /** Nobody listens there: what comes up there next has to say that it is ready before it gets anything. */
  lost(replica: Replica): void {
    replica.breaker.refused(performance.now());
    if (this.#options.askReadiness) this.#say(replica, 'not ready', 'nobody listens there');
  }

  /** Looks now: who there is, and who is ready. */
  async look(): Promise<void> {
    const all = this.#looks % seldom === 0;
    this.#looks += 1;
    if (all) await this.#resolve();
    await Promise.all(this.#replicas.map((replica) => this.#lookAt(replica, all)));
  }

  /** Looks as if for the first time. */
  lookAgain(): Promise<void> {
    this.#looks = 0;
    return this.look();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    for (const replica of this.#replicas) void replica.control.destroy();
  }

  /** Cuts all connections. */
  async destroy(): Promise<void> {
    this.stop();
    await Promise.all(this.#replicas.map((replica) => replica.destroy()));
  }

  #open(url: string, ip?: string): Replica {
    const replica = new Replica(url, ip);
    if (!this.#options.askReadiness) replica.readiness = 'ready';
    return replica;
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.look().finally(() => this.#schedule()), this.#options.everyMs);
    this.#timer.unref();
  }

  /** Looks at a replica; a look that is under way already is waited for first, as it may have begun before the news. */
  async #lookAt(replica: Replica, whole: boolean): Promise<void> {
    const before = this.#looking.get(replica);
    const mine = (before ?? Promise.resolve()).then(() => this.#ask(replica, whole));
    this.#looking.set(replica, mine);
    await mine;
    if (this.#looking.get(replica) === mine) this.#looking.delete(replica);
  }

  async #ask(replica: Replica, whole: boolean): Promise<void> {
    if (this.#stopped || !this.#replicas.includes(replica)) return;
    if (this.#options.askReadiness) {
      const answer = await askReplica(replica, '/health/ready');
      if (this.#stopped) return;
      if (answer === 'refused') return this.lost(replica);
      if (answer === 'silent') return this.#say(replica, 'not ready', 'does not answer');
      replica.breaker.heard();
      if (answer.status === 503) this.#say(replica, 'not ready', answer.text.slice(0, 200));
      else this.#say(replica, 'ready', '', noteIn(answer.text));
    }
    const { publication } = this.#options;
    if (!whole || !publication) return;
    const answer = await askReplica(replica, publication.path);
    if (typeof answer !== 'string' && !this.#stopped) publication.onAnswer(replica, answer.status, answer.text);
  }

  #say(replica: Replica, readiness: Replica['readiness'], reason: string, note = ''): void {
    const before = replica.readiness;
    replica.readiness = readiness;
    replica.reason = reason;
    replica.note = note;
    if (before === readiness) return;
    if (readiness === 'not ready') this.#log.warn({ replica: replica.name, reason }, 'replica is not ready');
    else if (before === 'not ready') this.#log.info({ replica: replica.name }, 'replica is ready again');
  }

  async #resolve(): Promise<void> {
    const names = this.#options.urls.filter((url) => !isFixed(url));
    if (names.length === 0) return;
    const resolve = this.#options.resolve ?? resolveHost;
    for (const url of names) {
      const { hostname, host } = new URL(url);
      try {
        this.#take(url, host, await resolve(hostname));
        this.#unresolved.delete(url);
      } catch (error) {
        // Those that are known already may still be there: the name may be all that is away.
        const reason = (error as Error).message;
        if (this.#unresolved.get(url) !== reason) this.#log.warn({ host, reason }, 'name not found');
        this.#unresolved.set(url, reason);
      }
    }
  }

  #take(url: string, host: string, ips: readonly string[]): void {
    const of = this.#replicas.filter((replica) => replica.host === host);
    const nameOf = (ip: string): string => `${host} (${ip})`;
    const wanted = new Set(ips.map(nameOf));
    const gone = of.filter(({ name }) => !wanted.has(name));
    const fresh = [...new Set(ips)].filter((ip) => !of.some(({ name }) => name === nameOf(ip))).map((ip) => this.#open(url, ip));
    if (gone.length === 0 && fresh.length === 0) return;
    this.#replicas = [...this.#replicas.filter((replica) => !gone.includes(replica)), ...fresh];
    this.#log.info({ replicas: this.#replicas.map(({ name }) => name) }, 'replicas have changed');
    for (const replica of gone) {
      this.#options.onGone?.(replica);
      replica.close().catch((error: unknown) => this.#log.warn({ err: error }, 'connections of a replica could not be closed'));
    }
  }
}

/** One that has just come may listen before it can work: it is asked first whether it can. */
const ranks: Readonly<Record<Readiness, number>> = { ready: 0, unknown: 2, 'not ready': 4 };

/** What stands below the `ok` of a static server; services answer JSON. */
function noteIn(text: string): string {
  return text.startsWith('ok\n') ? text.slice('ok\n'.length).trim().slice(0, 200) : '';
}

/** The lower, the better. */
function rank({ readiness, breaker }: Replica): number {
  return ranks[readiness] + (breaker.state === 'closed' ? 0 : 1);
}
