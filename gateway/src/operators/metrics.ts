import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Replica } from '../replicas/replica.ts';

/** What the gauges read each time the metrics are scraped. */
export interface Measured {
  readonly upstreams: readonly {
    readonly name: string;
    readonly inFlight: number;
    readonly openStreams: number;
    readonly replicas: { readonly all: readonly Replica[] };
  }[];
  readonly lines: { readonly open: number };
  /** Front-ends by name. */
  readonly deployments: { readonly all: ReadonlyMap<string, { readonly note: string | undefined }> };
}

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> =>
    new Counter({ name, help, labelNames, registers });
  const duration = new Histogram({
    name: 'gateway_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response, without event streams',
    labelNames: ['target', 'method', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const retries = counter('gateway_retries_total', 'Requests retried on another replica after a failure', 'target');
  const failures = counter(
    'gateway_failures_total',
    'Requests the gateway answered itself because the upstream failed',
    'target',
    'reason',
  );
  return {
    registry,
    /** Records a request: seconds from its arrival to the end of its response. */
    observe: (target: string, method: string, status: number, seconds: number) =>
      duration.observe({ target, method, status: `${Math.floor(status / 100)}xx` }, seconds),
    retried: (target: string) => retries.inc({ target }),
    failed: (target: string, reason: string) => failures.inc({ target, reason }),
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
    visits: counter('gateway_page_visits_total', 'Page loads that used a remote, by its version', 'remote', 'version'),
    vitals: vitalsOf(registry),
    measure: (measured: Measured) => openGauges(registry, measured),
  };
}

/** The middle buckets are the limits of good and poor (https://web.dev/articles/vitals). */
function vitalsOf(registry: Registry) {
  const vital = (name: string, help: string, buckets: number[]): Histogram<'remote' | 'version'> =>
    new Histogram({ name, help, buckets, labelNames: ['remote', 'version'], registers: [registry] });
  return {
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
  };
}

function openGauges(registry: Registry, { upstreams, lines, deployments }: Measured): void {
  type Sample = readonly [value: number | boolean, target?: string, replica?: string];
  const gauge = (name: string, help: string, labelNames: ('target' | 'replica')[], read: () => Sample[]): void =>
    void new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        this.reset();
        for (const [value, target, replica] of read())
          this.set(
            { ...(target !== undefined && { target }), ...(replica !== undefined && { replica }) },
            Number(value),
          );
      },
    });
  const ofReplicas = (read: (replica: Replica) => boolean) => (): Sample[] =>
    upstreams.flatMap(({ name, replicas }) => replicas.all.map((one) => [read(one), name, one.name] as const));
  gauge('gateway_requests_in_flight', 'Forwarded requests that are in flight, without event streams', ['target'], () =>
    upstreams.map(({ name, inFlight }) => [inFlight, name]),
  );
  gauge('gateway_streams_open', 'Open event streams', ['target'], () =>
    upstreams.map(({ name, openStreams }) => [openStreams, name]),
  );
  gauge(
    'gateway_replica_left_out',
    '1 if a replica gets no requests for some seconds because they failed',
    ['target', 'replica'],
    ofReplicas(({ isLeftOut }) => isLeftOut),
  );
  gauge(
    'gateway_replica_ready',
    '1 if a replica accepts requests',
    ['target', 'replica'],
    ofReplicas(({ readiness }) => readiness !== 'not ready'),
  );
  gauge('gateway_live_lines_open', 'Live lines of browsers that are open', [], () => [[lines.open]]);
  gauge(
    'gateway_release_pinned',
    '1 if a front-end serves a release other than the last deployed one, because of a pin or a roll-back',
    ['target'],
    () => [...deployments.all].map(([name, { note }]) => [note?.startsWith('pinned') ?? false, name]),
  );
}
