import { createServer, type Server } from 'node:http';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ReplicaSet } from './replicas/replica-set.ts';

/** What the gauges read of an upstream. */
export interface MeasuredUpstream {
  readonly inFlight: number;
  readonly openStreams: number;
  readonly sendsFiles: boolean;
  readonly replicas: ReplicaSet;
}

/** Metrics that upstreams report. */
export interface UpstreamMetrics {
  /** Reads its gauges each time the metrics are scraped. */
  watch(name: string, upstream: MeasuredUpstream): void;
  /** A request was retried on another replica. */
  retried(name: string): void;
  /** The gateway answered a request itself because the upstream failed. */
  failed(name: string, reason: string): void;
}

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    observe: requestDurations(registry),
    upstreams: upstreamMetrics(registry),
    ...reportMetrics(registers),
    /** Reads how many live lines are open each time the metrics are scraped. */
    watchLines(lines: { readonly open: number }): void {
      new Gauge({
        name: 'gateway_live_lines_open',
        help: 'Live lines of browsers that are open',
        registers,
        collect() {
          this.set(lines.open);
        },
      });
    },
    /** @param notes - of each front-end, if another release than the deployed one is served */
    watchReleases(notes: () => readonly (readonly [name: string, note: string | undefined])[]): void {
      void new Gauge({
        name: 'gateway_release_pinned',
        help: '1 if a front-end serves a release other than the last deployed one, because of a pin or a roll-back',
        labelNames: ['target'],
        registers,
        collect() {
          for (const [target, note] of notes()) this.set({ target }, note?.startsWith('pinned') ? 1 : 0);
        },
      });
    },
  };
}

/** What visitors' browsers report. */
function reportMetrics(registers: Registry[]) {
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> =>
    new Counter({ name, help, labelNames, registers });
  const vital = (name: string, help: string, buckets: number[]): Histogram<'remote' | 'version'> =>
    new Histogram({ name, help, buckets, labelNames: ['remote', 'version'], registers });
  return {
    /** Violations of our page policies that browsers reported. */
    policyReports: {
      counter: counter(
        'gateway_policy_reports_total',
        'Violations of the Content-Security-Policy that browsers reported',
        'directive',
        'disposition',
      ),
      dropped: counter(
        'gateway_policy_reports_dropped_total',
        'Policy reports dropped because they were over the limit',
      ),
    },
    pageErrors: counter(
      'gateway_page_errors_total',
      'Errors of pages that browsers reported, by remote, its version, and what the visitor saw',
      'remote',
      'version',
      'kind',
    ),
    /** Visits and web vitals; the middle buckets are the limits of good and poor (https://web.dev/articles/vitals). */
    pageVisits: {
      visits: counter(
        'gateway_page_visits_total',
        'Page loads that used a remote, by its version',
        'remote',
        'version',
      ),
      vitals: {
        LCP: vital(
          'gateway_page_lcp_seconds',
          'Largest contentful paint of page loads, by the remote whose element it was',
          [0.5, 1, 1.5, 2.5, 4, 8],
        ),
        INP: vital(
          'gateway_page_inp_seconds',
          'Interaction to next paint of page loads, by the remote whose element it was',
          [0.05, 0.1, 0.2, 0.5, 1],
        ),
        CLS: vital(
          'gateway_page_cls',
          'Cumulative layout shift of page loads, by the remote whose element moved most',
          [0.01, 0.05, 0.1, 0.25, 0.5],
        ),
      },
    },
  };
}

/** Times requests. @returns records one: seconds from its arrival to the end of its response */
function requestDurations(registry: Registry) {
  const duration = new Histogram({
    name: 'gateway_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response, without event streams',
    labelNames: ['target', 'method', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  // Cached, because looking up a combination of labels costs more than observing it.
  const series = new Map<string, { observe: (seconds: number) => void }>();
  return (target: string, method: string, status: number, seconds: number): void => {
    const group = Math.floor(status / 100);
    const key = `${target} ${method} ${group}`;
    let one = series.get(key);
    if (!one) series.set(key, (one = duration.labels(target, method, `${group}xx`)));
    one.observe(seconds);
  };
}

/** Sets a gauge's value for an upstream, or for one of its replicas. */
type SetGauge = (value: number | boolean, replica?: string) => void;

function upstreamMetrics(registry: Registry): UpstreamMetrics {
  const registers = [registry];
  const watched = new Map<string, MeasuredUpstream>();
  const gauge = (name: string, help: string, read: (upstream: MeasuredUpstream, set: SetGauge) => void): void => {
    new Gauge({
      name,
      help,
      labelNames: ['target', 'replica'],
      registers,
      collect() {
        this.reset();
        for (const [target, upstream] of watched)
          read(upstream, (value, replica) =>
            this.set({ target, ...(replica !== undefined && { replica }) }, Number(value)),
          );
      },
    });
  };
  gauge('gateway_requests_in_flight', 'Forwarded requests that are in flight, without event streams', (upstream, set) =>
    set(upstream.inFlight),
  );
  gauge('gateway_streams_open', 'Open event streams', (upstream, set) => set(upstream.openStreams));
  gauge(
    'gateway_replica_left_out',
    '1 if a replica gets no requests for some seconds because they failed',
    ({ replicas }, set) => replicas.all.forEach(({ name, isLeftOut }) => set(isLeftOut, name)),
  );
  gauge('gateway_replica_ready', '1 if a replica accepts requests', ({ replicas }, set) =>
    replicas.all.forEach(({ name, readiness }) => set(readiness !== 'not ready', name)),
  );
  const retries = new Counter({
    name: 'gateway_retries_total',
    help: 'Requests retried on another replica after a failure',
    labelNames: ['target'],
    registers,
  });
  const failures = new Counter({
    name: 'gateway_failures_total',
    help: 'Requests the gateway answered itself because the upstream failed',
    labelNames: ['target', 'reason'],
    registers,
  });
  return {
    watch: (name, upstream) => void watched.set(name, upstream),
    retried: (target) => retries.inc({ target }),
    failed: (target, reason) => failures.inc({ target, reason }),
  };
}

export interface Health {
  readonly ready: boolean;
  /** State of each part, for the operator. */
  readonly parts: Readonly<Record<string, string>>;
}

/** A part's replicas, as Prometheus' HTTP service discovery reads them. */
export interface ScrapeTargets {
  readonly targets: readonly string[];
  readonly labels: { readonly part: string };
}

/** The operators' server: `/metrics`, `/targets`, `/health/live`, `/health/ready`. Never expose it. */
export function createInternalServer(
  metrics: Pick<Registry, 'metrics' | 'contentType'>,
  health: () => Health,
  targets: () => readonly ScrapeTargets[] = () => [],
): Server {
  return createServer((req, res) => {
    const json = (status: number, body: unknown): void =>
      void res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    if (req.url === '/health/live') return json(200, { status: 'ok' });
    if (req.url === '/health/ready') {
      const { ready, parts } = health();
      return json(ready ? 200 : 503, { status: ready ? 'ok' : 'waiting', parts });
    }
    if (req.url === '/targets') return json(200, targets());
    if (req.url !== '/metrics') return json(404, { status: 'unknown address' });
    metrics.metrics().then(
      (text) => res.writeHead(200, { 'Content-Type': metrics.contentType }).end(text),
      (error: unknown) => json(500, { status: String(error) }),
    );
  });
}
