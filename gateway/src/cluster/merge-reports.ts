import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client';
import type { Health } from '../metrics.ts';

export type MetricsOfWorker = readonly MetricObjectWithValues<MetricValue<string>>[];

/** Merges the metrics of several workers, each by its own aggregator: sum, minimum, maximum or mean. */
export function mergeMetrics(all: readonly MetricsOfWorker[]): Registry {
  // The library's types expect a registry's input format, but it accepts the output format.
  return AggregatorRegistry.aggregate(all.map((metrics) => [...metrics]));
}

/** Only the counters, to keep those of a worker that has exited: counters that drop would show up as new requests. */
export function countersOf(metrics: MetricsOfWorker): MetricsOfWorker {
  return metrics.filter(({ type }) => counting.has(String(type)));
}

const counting = new Set(['counter', 'histogram', 'summary']);

/**
 * Merges the health of all workers: ready if at least one is.
 *
 * @param workers - the configured number of workers
 */
export function mergeHealth(reports: ReadonlyMap<number, Health>, workers: number): Health {
  const ready = [...reports.values()].filter((health) => health.ready).length;
  const names = new Set([...reports.values()].flatMap(({ parts }) => Object.keys(parts)));
  const parts = [...names].map((name) => [name, stateOf(name, reports)] as const);
  return { ready: ready > 0, parts: { workers: `${ready} of ${workers} ready`, ...Object.fromEntries(parts) } };
}

/** If all workers report the same state, it is shown once. */
function stateOf(part: string, reports: ReadonlyMap<number, Health>): string {
  const states = [...reports].map(([worker, { parts }]) => ({ worker, state: parts[part] ?? 'unknown' }));
  const [first] = states;
  if (first && states.every(({ state }) => state === first.state)) return first.state;
  return states.map(({ worker, state }) => `worker ${worker}: ${state}`).join('; ');
}
