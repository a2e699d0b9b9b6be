import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { PoolState } from '../database/pool-state.ts';
import type { RequestNotes } from '../http/request-scope.ts';
import type { VersionTracker } from '../auth/version-tracker.ts';

/** A service's metrics; one set per service, so that several can run in one process. */
export interface Metrics {
  readonly registry: Registry;
  requestBegan(): void;
  /** @param seconds - from the request's first byte to the response's last */
  requestDone(notes: RequestNotes, method: string, status: number, seconds: number): void;
  /** An event stream was opened; @returns a function to call when the stream has ended */
  streamOpened(call: string): () => void;
  streamMessage(call: string): void;
  /** @param seconds - waited for a connection */
  checkedOut(seconds: number): void;
  checkOutFailed(reason: string): void;
  poolCleared(): void;
  /** @param seconds - until the database responded */
  commandDone(call: string, seconds: number): void;
  /** Exposes a pool's state, read at each scrape. */
  showPool(pool: PoolState): void;
  /** Exposes the session feed's state, read at each scrape. */
  showFeed(versions: VersionTracker): void;
}

const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const databaseBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 3];

/**
 * @param serviceName - a label on every metric
 * @param processWide - also collect memory, event loop etc. of the process
 * @param stopping - aborted when the service starts to shut down
 */
export function createMetrics(serviceName: string, processWide: boolean, stopping: AbortSignal): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service: serviceName });
  // Event loop lag, garbage collection, memory, CPU time, open handles.
  if (processWide) collectDefaultMetrics({ register: registry });
  gauge(registry, 'service_stopping', '1 while the service is shutting down', () => (stopping.aborted ? 1 : 0));
  return {
    registry,
    ...requestMetrics(registry),
    ...databaseMetrics(registry),
    showFeed(versions) {
      gauge(registry, 'session_feed_live', '1 while the session feed is up to date', () => (versions.isLive() ? 1 : 0));
      gauge(
        registry,
        'session_feed_silence_seconds',
        'Seconds since the last session feed message; -1: never',
        () => versions.silence() ?? -1,
      );
    },
  };
}

function counter<Label extends string>(registry: Registry, name: string, help: string, ...labelNames: Label[]) {
  return new Counter({ name, help, labelNames, registers: [registry] });
}

function gauge(registry: Registry, name: string, help: string, value: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(value());
    },
  });
}

function requestMetrics(
  registry: Registry,
): Pick<Metrics, 'requestBegan' | 'requestDone' | 'streamOpened' | 'streamMessage'> {
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Response time, by call and status',
    labelNames: ['call', 'method', 'status'],
    buckets: requestBuckets,
    registers: [registry],
  });
  const problems = counter(registry, 'problems_total', 'Problem responses, by call and code', 'call', 'code');
  const replays = counter(
    registry,
    'idempotency_replays_total',
    'Repeated requests that got the stored response',
    'call',
  );
  const streams = new Gauge({
    name: 'event_streams_open',
    help: 'Clients that listen for changes',
    labelNames: ['call'],
    registers: [registry],
  });
  const messages = counter(registry, 'event_stream_messages_total', 'Messages sent to listening clients', 'call');
  let inFlight = 0;
  gauge(registry, 'http_requests_in_flight', 'Requests in flight', () => inFlight);
  return {
    requestBegan: () => void (inFlight += 1),
    requestDone({ call = 'none', problem, replayed }, method, status, seconds) {
      inFlight -= 1;
      duration.observe({ call, method, status }, seconds);
      if (problem !== undefined) problems.inc({ call, code: problem });
      if (replayed) replays.inc({ call });
    },
    streamOpened(call) {
      streams.inc({ call });
      return () => streams.dec({ call });
    },
    streamMessage: (call) => messages.inc({ call }),
  };
}

function databaseMetrics(
  registry: Registry,
): Pick<Metrics, 'checkedOut' | 'checkOutFailed' | 'poolCleared' | 'commandDone' | 'showPool'> {
  const waited = new Histogram({
    name: 'mongodb_pool_checkout_seconds',
    help: 'Time spent waiting for a connection',
    buckets: databaseBuckets,
    registers: [registry],
  });
  const failures = counter(registry, 'mongodb_pool_checkout_failures_total', 'Failed connection checkouts', 'reason');
  const cleared = counter(registry, 'mongodb_pool_cleared_total', 'Times the connection pool was cleared');
  const commands = new Histogram({
    name: 'mongodb_command_duration_seconds',
    help: 'Duration of database commands, by call',
    labelNames: ['call'],
    buckets: databaseBuckets,
    registers: [registry],
  });
  return {
    checkedOut: (seconds) => waited.observe(seconds),
    checkOutFailed: (reason) => failures.inc({ reason }),
    poolCleared: () => cleared.inc(),
    commandDone: (call, seconds) => commands.observe({ call }, seconds),
    showPool(pool) {
      gauge(registry, 'mongodb_pool_connections_open', 'Connections to the database', () => pool.open);
      gauge(registry, 'mongodb_pool_connections_checked_out', 'Connections in use', () => pool.checkedOut);
      gauge(registry, 'mongodb_pool_wait_queue', 'Operations waiting for a connection', () => pool.waiting);
      gauge(registry, 'mongodb_pool_connections_max', 'Maximum connections', () => pool.most);
    },
  };
}
