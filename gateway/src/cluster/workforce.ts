import type { Worker } from 'node:cluster';
import { once } from 'node:events';
import { Registry } from 'prom-client';
import type { Logger } from 'pino';
import type { Health } from '../metrics.ts';
import { countersOf, mergeMetrics, type MetricsOfWorker } from './merge-reports.ts';
import type { FromWorker, Report, SegmentOwners, ToWorker } from './messages.ts';
import { OpenChanges } from './open-changes.ts';

/** Milliseconds after which a worker that died is replaced; twice as many each time, when it lived for less than `livesFor`. */
const firstWaitMs = 250;
const longestWaitMs = 15_000;
const livesFor = 30_000;

/** Milliseconds that a worker has to tell of itself; one that is busy longer is left out. */
const reportWithin = 2000;

export interface WorkforceOptions {
  /** How many there shall be. */
  readonly workers: number;
  readonly log: Logger;
  /** Starts one. */
  readonly fork: () => Worker;
}

interface Member {
  readonly worker: Worker;
  readonly since: number;
  /** It hears of the others. */
  joined: boolean;
  url: string | undefined;
  /** What it told last. */
  report: Report | undefined;
}

/** The worker processes of the gateway, as its primary process sees them. */
export class Workforce {
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;
  readonly #options: WorkforceOptions;
  readonly #log: Logger;
  readonly #members = new Map<number, Member>();
  readonly #changes = new OpenChanges();
  readonly #questions = new Map<number, (worker: number, report: Report) => void>();
  readonly #waiting = new Set<NodeJS.Timeout>();
  #question = 0;
  #owners: SegmentOwners = new Map();
  /** What those that are gone have counted. */
  #gone: Promise<MetricsOfWorker> = Promise.resolve([]);
  /** Deaths in a row. */
  #deaths = 0;
  #started = Promise.withResolvers<string>();
  #allStarted = false;
  #stopping = false;
  #failed = false;

  constructor(options: WorkforceOptions) {
    this.#options = options;
    this.#log = options.log;
  }

  /**
   * Starts all of them.
   *
   * @returns their address, once all take requests
   * @throws Error when one ends before
   */
  start(): Promise<string> {
    for (let i = 0; i < this.#options.workers; i += 1) this.#fork();
    return this.#started.promise;
  }

  /** Lets all of them finish what is under way. @returns whether one could not */
  async stop(): Promise<boolean> {
    this.#stopping = true;
    for (const timer of this.#waiting) clearTimeout(timer);
    // Those that are gone are members no more.
    await Promise.all([...this.#members.values()].map(async ({ worker }) => {
      const gone = once(worker, 'exit');
      send(worker, { kind: 'stop' });
      await gone;
    }));
    return this.#failed;
  }

  kill(): void {
    for (const { worker } of this.#members.values()) worker.process.kill('SIGKILL');
  }

  /** The metrics of all that there are and have been. */
  async metrics(): Promise<string> {
    const reports = await this.#ask();
    // Of one that is too busy to tell, what it had counted before.
    const before = [...this.#members].flatMap(([id, { report }]) => (report && !reports.has(id) ? [countersOf(report.metrics)] : []));
    return mergeMetrics([...[...reports.values()].map(({ metrics }) => metrics), ...before, await this.#gone]).metrics();
  }

  async health(): Promise<ReadonlyMap<number, Health>> {
    return new Map([...(await this.#ask())].map(([worker, { health }]) => [worker, health]));
  }

  #fork(): void {
    const worker = this.#options.fork();
    this.#members.set(worker.id, { worker, since: performance.now(), joined: false, url: undefined, report: undefined });
    worker.on('message', (message: FromWorker) => this.#take(worker, message));
    worker.once('exit', (code, signal) => this.#left(worker, code, signal));
    worker.on('error', (error) => this.#log.error({ worker: worker.id, err: error }, 'worker can not be reached'));
  }

  #take(worker: Worker, message: FromWorker): void {
    const { id } = worker;
    const member = this.#members.get(id);
    if (!member) return;
    switch (message.kind) {
      case 'hello':
        member.joined = true;
        this.#changes.join({ id, send: (answer) => send(worker, answer) });
        send(worker, { kind: 'segments', owners: this.#owners });
        if (this.#first() === member) send(worker, { kind: 'lead' });
        return;
      case 'listening':
        member.url = message.url;
        if ([...this.#members.values()].some(({ url }) => url === undefined) || this.#members.size < this.#options.workers) return;
        this.#allStarted = true;
        return this.#started.resolve(message.url);
      case 'change':
        return this.#changes.begin(id, message.change, message.service);
      case 'change over':
        return this.#changes.end(id, message.change);
      case 'heard':
        return this.#changes.heard(message.change, id);
      case 'segments':
        if (this.#first() !== member) return;
        this.#owners = message.owners;
        for (const other of this.#members.values()) if (other !== member && other.joined) send(other.worker, message);
        return;
      case 'report':
        member.report = message.report;
        this.#questions.get(message.question)?.(id, message.report);
    }
  }

  #left(worker: Worker, code: number, signal: string | null): void {
    const member = this.#members.get(worker.id);
    if (!member) return;
    const led = this.#first() === member;
    this.#members.delete(worker.id);
    this.#changes.leave(worker.id);
    const { report } = member;
    if (report) this.#gone = this.#gone.then((gone) => mergeMetrics([gone, countersOf(report.metrics)]).getMetricsAsJSON());
    const next = led ? this.#first() : undefined;
    if (next) send(next.worker, { kind: 'lead' });
    if (this.#stopping) {
      if (code !== 0) this.#failed = true;
      return;
    }
    if (!this.#allStarted) return this.#started.reject(new Error(`worker ${worker.id} ended with ${signal ?? code} before it could take requests`));
    this.#deaths = performance.now() - member.since < livesFor ? this.#deaths + 1 : 0;
    const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** this.#deaths);
    this.#log.error({ worker: worker.id, code, signal, waitMs }, 'worker ended, another one takes its place');
    const timer = setTimeout(() => {
      this.#waiting.delete(timer);
      this.#fork();
    }, waitMs);
    this.#waiting.add(timer);
  }

  /** The one whose way to share segments out holds for all. */
  #first(): Member | undefined {
    return [...this.#members.values()].find(({ joined }) => joined);
  }

  /** Lets those that take requests tell of themselves. */
  #ask(): Promise<ReadonlyMap<number, Report>> {
    const asked = [...this.#members.values()].filter(({ url }) => url !== undefined);
    this.#question += 1;
    const question = this.#question;
    const reports = new Map<number, Report>();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#questions.delete(question);
        resolve(reports);
      };
      const timer = setTimeout(done, reportWithin);
      this.#questions.set(question, (worker, report) => {
        reports.set(worker, report);
        if (asked.every(({ worker: { id } }) => reports.has(id) || !this.#members.has(id))) done();
      });
      for (const { worker } of asked) send(worker, { kind: 'report', question });
      if (asked.length === 0) done();
    });
  }
}

function send(worker: Worker, message: ToWorker): void {
  // One that is just dying does not hear; that it is gone is heard by itself.
  if (worker.isConnected()) worker.send(message);
}
