import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { VersionTracker } from './version-tracker.ts';

/** What a service counts; one set per service, so that several can run in one process. */
export interface Metrics {
  readonly registry: Registry;
  /** @param seconds - from the request's first byte to the answer's last */
  observe(call: string, method: string, status: number, seconds: number): void;
}

/**
 * @param serviceName - a label on every figure
 * @param processWide - also memory, event loop and the like, which belong to the process
 */
export function createMetrics(serviceName: string, versions: VersionTracker, processWide: boolean): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service: serviceName });
  if (processWide) collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer by call and status',
    labelNames: ['call', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  new Gauge({
    name: 'session_feed_live',
    help: '1 while changed rights reach this service',
    registers: [registry],
    collect() {
      this.set(versions.isLive() ? 1 : 0);
    },
  });
  return { registry, observe: (call, method, status, seconds) => duration.observe({ call, method, status: String(status) }, seconds) };
}
