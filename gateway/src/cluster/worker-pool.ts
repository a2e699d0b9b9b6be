import type { Worker } from 'node:cluster';
import { once } from 'node:events';
import { Registry } from 'prom-client';
import type { Logger } from 'pino';
import type { Health } from '../metrics.ts';
import { countersOf, mergeMetrics, type MetricsOfWorker } from './merge-reports.ts';
import type { FromWorker, Report, SegmentOwners, ToWorker } from './messages.ts';
import { OpenChanges } from './open-changes.ts';

/** Restart back-off of a dead worker, in milliseconds; doubles each time if it ran for less than `resetAfterMs`. */
const firstWaitMs = 250;
const longestWaitMs = 15_000;
/** Uptime that resets the restart back-off, in milliseconds. */
const resetAfterMs = 30_000;

/** Milliseconds to wait for a worker's report; one that is busy for longer is left out. */
const reportWithin = 2000;

export interface WorkerPoolOptions {
  /** Number of workers to run. */
  readonly workers: number;
  readonly log: Logger;
  /** Starts a worker. */
  readonly fork: () => Worker;
}

interface Member {
  readonly worker: Worker;
  readonly since: number;
  /** Whether it handles messages yet. */
  joined: boolean;
  url: string | undefined;
  /** Its last report. */
  report: Report | undefined;
}

/** The gateway's worker processes, as managed by the primary process. */
export class WorkerPool {
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;
  readonly #options: WorkerPoolOptions;
  readonly #log: Logger;
  readonly #members = new Map<number, Member>();
  readonly #changes = new OpenChanges();
  readonly #pendingReports = new Map<number, (worker: number, report: Report) => void>();
  readonly #waiting = new Set<NodeJS.Timeout>();
  #lastRequest = 0;
  #owners: SegmentOwners = new Map();
  /** The counters of workers that have exited. */
  #gone: Promise<MetricsOfWorker> = Promise.resolve([]);
  /** Consecutive early deaths, for the back-off. */
  #deaths = 0;
  #started = Promise.withResolvers<string>();
  #allStarted = false;
  #stopping = false;
  #failed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    this.#log = options.log;
  }

  /**
   * Starts all workers.
   *
   * @returns their URL, once all accept requests
   * @throws Error if one exits before that
   */
  start(): Promise<string> {
    for (let i = 0; i < this.#options.workers; i += 1) this.#fork();
    return this.#started.promise;
  }

  /** Stops all workers after their requests in flight. @returns whether one failed to stop cleanly */
  async stop(): Promise<boolean> {
    this.#stopping = true;
    for (const timer of this.#waiting) clearTimeout(timer);
    // Workers that have exited are no longer members.
    await Promise.all(
      [...this.#members.values()].map(async ({ worker }) => {
        const gone = once(worker, 'exit');
        send(worker, { kind: 'stop' });
        await gone;
      }),
    );
    return this.#failed;
  }

  kill(): void {
    for (const { worker } of this.#members.values()) worker.process.kill('SIGKILL');
  }

  /** The metrics of all workers, past and present. */
  async metrics(): Promise<string> {
    const reports = await this.#collectReports();
    // The last counters of workers that are too busy to report.
    const before = [...this.#members].flatMap(([id, { report }]) =>
      report && !reports.has(id) ? [countersOf(report.metrics)] : [],
    );
    return mergeMetrics([
      ...[...reports.values()].map(({ metrics }) => metrics),
      ...before,
      await this.#gone,
    ]).metrics();
  }

  async health(): Promise<ReadonlyMap<number, Health>> {
    return new Map([...(await this.#collectReports())].map(([worker, { health }]) => [worker, health]));
  }

  #fork(): void {
    const worker = this.#options.fork();
    this.#members.set(worker.id, {
      worker,
      since: performance.now(),
      joined: false,
      url: undefined,
      report: undefined,
    });
    worker.on('message', (message: FromWorker) => this.#take(worker, message));
    worker.once('exit', (code, signal) => this.#left(worker, code, signal));
    worker.on('error', (error) => this.#log.error({ worker: worker.id, err: error }, 'worker unreachable'));
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
        if (
          [...this.#members.values()].some(({ url }) => url === undefined) ||
          this.#members.size < this.#options.workers
        )
          return;
        this.#allStarted = true;
        return this.#started.resolve(message.url);
      case 'change':
        return this.#changes.begin(id, message.change, message.service);
      case 'change over':
        return this.#changes.end(id, message.change);
      case 'acknowledged':
        return this.#changes.acknowledge(message.change, id);
      case 'segments':
        if (this.#first() !== member) return;
        this.#owners = message.owners;
        for (const other of this.#members.values()) if (other !== member && other.joined) send(other.worker, message);
        return;
      case 'report':
        member.report = message.report;
        this.#pendingReports.get(message.request)?.(id, message.report);
    }
  }

  #left(worker: Worker, code: number, signal: string | null): void {
    const member = this.#members.get(worker.id);
    if (!member) return;
    const led = this.#first() === member;
    this.#members.delete(worker.id);
    this.#changes.leave(worker.id);
    const { report } = member;
    if (report)
      this.#gone = this.#gone.then((gone) => mergeMetrics([gone, countersOf(report.metrics)]).getMetricsAsJSON());
    const next = led ? this.#first() : undefined;
    if (next) send(next.worker, { kind: 'lead' });
    if (this.#stopping) {
      if (code !== 0) this.#failed = true;
      return;
    }
    if (!this.#allStarted)
      return this.#started.reject(
        new Error(`worker ${worker.id} ended with ${signal ?? code} before it accepted requests`),
      );
    this.#deaths = performance.now() - member.since < resetAfterMs ? this.#deaths + 1 : 0;
    const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** this.#deaths);
    this.#log.error({ worker: worker.id, code, signal, waitMs }, 'worker exited, will be replaced');
    const timer = setTimeout(() => {
      this.#waiting.delete(timer);
      this.#fork();
    }, waitMs);
    this.#waiting.add(timer);
  }

  /** The lead worker, whose segment assignments all others follow. */
  #first(): Member | undefined {
    return [...this.#members.values()].find(({ joined }) => joined);
  }

  /** Collects reports from the workers that accept requests. */
  #collectReports(): Promise<ReadonlyMap<number, Report>> {
    const listening = [...this.#members.values()].filter(({ url }) => url !== undefined);
    this.#lastRequest += 1;
    const request = this.#lastRequest;
    const reports = new Map<number, Report>();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#pendingReports.delete(request);
        resolve(reports);
      };
      const timer = setTimeout(done, reportWithin);
      this.#pendingReports.set(request, (worker, report) => {
        reports.set(worker, report);
        if (listening.every(({ worker: { id } }) => reports.has(id) || !this.#members.has(id))) done();
      });
      for (const { worker } of listening) send(worker, { kind: 'report', request });
      if (listening.length === 0) done();
    });
  }
}

function send(worker: Worker, message: ToWorker): void {
  // A dying worker can't receive; its exit event follows.
  if (worker.isConnected()) worker.send(message);
}
