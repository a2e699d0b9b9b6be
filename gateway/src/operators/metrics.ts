import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Replica } from '../replicas/replica.ts';
import type { ReplicaSet } from '../replicas/replica-set.ts';

/** What the gauges read of an upstream. */
export interface MeasuredUpstream {
  readonly inFlight: number;
  readonly openStreams: number;
  readonly replicas: ReplicaSet;
}

export type UpstreamMetrics = ReturnType<typeof upstreamMetrics>;
export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const meters = metersOf(registry);
  const { gauge } = meters;
  return {
    registry,
    observe: requestDurations(registry),
    upstreams: upstreamMetrics(meters),
    ...reportMetrics(meters),
    watchLines: (lines: { readonly open: number }): void =>
      gauge('gateway_live_lines_open', 'Live lines of browsers that are open', [], (set) => set({}, lines.open)),
    watchReleases: ({ all }: { readonly all: ReadonlyMap<string, { readonly note: string | undefined }> }): void =>
      gauge(
        'gateway_release_pinned',
        '1 if a front-end serves a release other than the last deployed one, because of a pin or a roll-back',
        ['target'],
        (set) => all.forEach(({ note }, target) => set({ target }, note?.startsWith('pinned') ?? false)),
      ),
  };
}

type Meters = ReturnType<typeof metersOf>;

function metersOf(registry: Registry) {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> =>
    new Counter({ name, help, labelNames, registers });
  const vital = (name: string, help: string, buckets: number[]): Histogram<'remote' | 'version'> =>
    new Histogram({ name, help, buckets, labelNames: ['remote', 'version'], registers });
  /** Read each time the metrics are scraped. */
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    read: (set: (labels: Partial<Record<Label, string>>, value: number | boolean) => void) => void,
  ): void =>
    void new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect() {
        this.reset();
        read((labels, value) => this.set(labels, Number(value)));
      },
    });
  return { counter, vital, gauge };
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
  return (target: string, method: string, status: number, seconds: number): void =>
    duration.observe({ target, method, status: `${Math.floor(status / 100)}xx` }, seconds);
}

/** What visitors' browsers report. */
function reportMetrics({ counter, vital }: Meters) {
  return {
    /** Violations of our page policies that browsers reported. */
    policyReports: counter(
      'gateway_policy_reports_total',
      'Violations of the Content-Security-Policy that browsers reported',
      'directive',
      'disposition',
    ),
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

/** What is read of every upstream, and of its replicas, each time the metrics are scraped. */
function upstreamMetrics({ counter, gauge }: Meters) {
  const watched = new Map<string, MeasuredUpstream>();
  const ofEach = (name: string, help: string, read: (upstream: MeasuredUpstream) => number): void =>
    gauge(name, help, ['target'], (set) => watched.forEach((upstream, target) => set({ target }, read(upstream))));
  const ofReplicas = (name: string, help: string, read: (replica: Replica) => boolean): void =>
    gauge(name, help, ['target', 'replica'], (set) =>
      watched.forEach(({ replicas }, target) =>
        replicas.all.forEach((replica) => set({ target, replica: replica.name }, read(replica))),
      ),
    );
  ofEach(
    'gateway_requests_in_flight',
    'Forwarded requests that are in flight, without event streams',
    ({ inFlight }) => inFlight,
  );
  ofEach('gateway_streams_open', 'Open event streams', ({ openStreams }) => openStreams);
  ofReplicas(
    'gateway_replica_left_out',
    '1 if a replica gets no requests for some seconds because they failed',
    ({ isLeftOut }) => isLeftOut,
  );
  ofReplicas('gateway_replica_ready', '1 if a replica accepts requests', ({ readiness }) => readiness !== 'not ready');
  const retries = counter('gateway_retries_total', 'Requests retried on another replica after a failure', 'target');
  const failures = counter(
    'gateway_failures_total',
    'Requests the gateway answered itself because the upstream failed',
    'target',
    'reason',
  );
  return {
    watch: (name: string, upstream: MeasuredUpstream) => void watched.set(name, upstream),
    retried: (target: string) => retries.inc({ target }),
    failed: (target: string, reason: string) => failures.inc({ target, reason }),
  };
}
