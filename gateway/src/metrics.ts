import { createServer, type Server } from 'node:http';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry, type Aggregator } from 'prom-client';
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

export interface Metrics {
  /** @param seconds from the request's arrival to the end of its response */
  observe(target: string, method: string, status: number, seconds: number): void;
  readonly upstreams: UpstreamMetrics;
  /** Violations of our page policies that browsers reported. */
  readonly policyReports: { readonly counter: Counter<'directive' | 'disposition'>; readonly dropped: Counter };
  /** Errors of pages that browsers reported. */
  readonly pageErrors: Counter<'remote' | 'version' | 'kind'>;
  /** Releases that visitors' pages loaded, and their web vitals: seconds, and CLS without a unit. */
  readonly pageVisits: {
    readonly visits: Counter<'remote' | 'version'>;
    readonly vitals: Readonly<Record<'LCP' | 'INP' | 'CLS', Histogram<'remote' | 'version'>>>;
  };
  /** Reads how many live lines are open each time the metrics are scraped. */
  watchLines(lines: { readonly open: number }): void;
  /** @param notes - of each front-end, if another release than the deployed one is served */
  watchReleases(notes: () => readonly (readonly [name: string, note: string | undefined])[]): void;
  readonly registry: Registry;
}

/** Breaker states as numbers, so they can be graphed. */
const breakerFigures = { closed: 0, 'half-open': 1, open: 2 } as const;

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    observe: requestDurations(registry),
    upstreams: upstreamMetrics(registry),
    ...visitorReportMetrics(registry),
    pageVisits: pageVisitMetrics(registry),
    watchLines: (lines) =>
      void new Gauge({
        name: 'gateway_live_lines_open',
        help: 'Live lines of browsers that are open',
        registers: [registry],
        aggregator: 'sum',
        collect() {
          this.set(lines.open);
        },
      }),
    watchReleases: (notes) =>
      void new Gauge({
        name: 'gateway_release_pinned',
        help: '1 if a front-end serves a release other than the last deployed one, because of a pin or a roll-back',
        labelNames: ['target'],
        registers: [registry],
        aggregator: 'max',
        collect() {
          for (const [target, note] of notes()) this.set({ target }, note?.startsWith('pinned') ? 1 : 0);
        },
      }),
  };
}

/** Times requests. @returns records one */
function requestDurations(registry: Registry): Metrics['observe'] {
  const duration = new Histogram({
    name: 'gateway_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response, without event streams',
    labelNames: ['target', 'method', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  // Cached, because looking up a combination of labels costs more than observing it.
  const series = new Map<string, { observe: (seconds: number) => void }>();
  return (target, method, status, seconds) => {
    const group = Math.floor(status / 100);
    const key = `${target} ${method} ${group}`;
    let one = series.get(key);
    if (!one) {
      one = duration.labels(target, method, `${group}xx`);
      series.set(key, one);
    }
    one.observe(seconds);
  };
}

/** Counters of what visitors' browsers report. */
function visitorReportMetrics(registry: Registry): Pick<Metrics, 'policyReports' | 'pageErrors'> {
  const registers = [registry];
  return {
    policyReports: {
      counter: new Counter({
        name: 'gateway_policy_reports_total',
        help: 'Violations of the Content-Security-Policy that browsers reported',
        labelNames: ['directive', 'disposition'],
        registers,
      }),
      dropped: new Counter({
        name: 'gateway_policy_reports_dropped_total',
        help: 'Policy reports dropped because they were over the limit',
        registers,
      }),
    },
    pageErrors: new Counter({
      name: 'gateway_page_errors_total',
      help: 'Errors of pages that browsers reported, by remote, its version, and what the visitor saw',
      labelNames: ['remote', 'version', 'kind'],
      registers,
    }),
  };
}

/** Visits and web vitals; the middle buckets are the limits of good and poor (https://web.dev/articles/vitals). */
function pageVisitMetrics(registry: Registry): Metrics['pageVisits'] {
  const shared = { labelNames: ['remote', 'version'] as const, registers: [registry] };
  const vital = (name: string, help: string, buckets: number[]) => new Histogram({ name, help, buckets, ...shared });
  return {
    visits: new Counter({
      name: 'gateway_page_visits_total',
      help: 'Page loads that used a remote, by its version',
      ...shared,
    }),
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
  };
}

type Target = 'target' | 'replica';

/** Sets a gauge's value for a target. */
type SetGauge = (labels: { readonly replica?: string }, value: number) => void;

/** Creates a gauge that reads all upstreams each time the metrics are scraped. */
type UpstreamGauge = (
  name: string,
  help: string,
  labelNames: readonly Target[],
  read: (upstream: MeasuredUpstream, set: SetGauge) => void,
  aggregator?: Aggregator,
) => void;

function upstreamGauge(registry: Registry, watched: ReadonlyMap<string, MeasuredUpstream>): UpstreamGauge {
  return (name, help, labelNames, read, aggregator = 'sum') => {
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      aggregator,
      collect() {
        this.reset();
        for (const [target, upstream] of watched)
          read(upstream, (labels, value) => this.set({ target, ...labels }, value));
      },
    });
  };
}

function requestGauges(gauge: UpstreamGauge): void {
  gauge(
    'gateway_requests_in_flight',
    'Forwarded requests that are in flight, without event streams',
    ['target'],
    ({ inFlight }, set) => set({}, inFlight),
  );
  gauge('gateway_streams_open', 'Open event streams', ['target'], ({ openStreams }, set) => set({}, openStreams));
}

function replicaGauges(gauge: UpstreamGauge): void {
  gauge(
    'gateway_breaker_state',
    'Circuit breaker of a replica: 0 closed, 1 half-open, 2 open',
    ['target', 'replica'],
    ({ replicas }, set) => {
      for (const { name, breaker } of replicas.all) set({ replica: name }, breakerFigures[breaker.state]);
    },
    'max',
  );
  gauge(
    'gateway_replica_ready',
    '1 if a replica accepts requests',
    ['target', 'replica'],
    ({ replicas }, set) => {
      for (const { name, readiness } of replicas.all) set({ replica: name }, readiness === 'not ready' ? 0 : 1);
    },
    'min',
  );
}

function upstreamMetrics(registry: Registry): UpstreamMetrics {
  const watched = new Map<string, MeasuredUpstream>();
  const gauge = upstreamGauge(registry, watched);
  requestGauges(gauge);
  replicaGauges(gauge);
  const registers = [registry];
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
  health: () => Health | Promise<Health>,
  targets: () => readonly ScrapeTargets[] = () => [],
): Server {
  return createServer((req, res) => {
    const json = (status: number, body: unknown): void =>
      void res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    const answer = async (): Promise<void> => {
      if (req.url === '/health/live') return json(200, { status: 'ok' });
      if (req.url === '/health/ready') {
        const { ready, parts } = await health();
        return json(ready ? 200 : 503, { status: ready ? 'ok' : 'waiting', parts });
      }
      if (req.url === '/targets') return json(200, targets());
      if (req.url !== '/metrics') return json(404, { status: 'unknown address' });
      const text = await metrics.metrics();
      res.writeHead(200, { 'Content-Type': metrics.contentType }).end(text);
    };
    answer().catch((error: unknown) => json(500, { status: String(error) }));
  });
}
