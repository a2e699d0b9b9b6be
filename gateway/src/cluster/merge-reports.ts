import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client';
import type { Health } from '../metrics.ts';

export type MetricsOfWorker = readonly MetricObjectWithValues<MetricValue<string>>[];

/** Metrics of several workers as those of one gateway: each adds up, or is the least, greatest or mean, as it says itself. */
export function mergeMetrics(all: readonly MetricsOfWorker[]): Registry {
  // The library's types ask for what goes into a registry, but it takes what comes out of one.
  return AggregatorRegistry.aggregate(all.map((metrics) => [...metrics]));
}

/** What counted: for a worker that is gone, as counters that go back would show as new requests. */
export function countersOf(metrics: MetricsOfWorker): MetricsOfWorker {
  return metrics.filter(({ type }) => counting.has(String(type)));
}

const counting = new Set(['counter', 'histogram', 'summary']);

/**
 * The state of all workers as one: it is ready while one of them is.
 *
 * @param workers - how many there should be
 */
export function mergeHealth(reports: ReadonlyMap<number, Health>, workers: number): Health {
  const ready = [...reports.values()].filter((health) => health.ready).length;
  const names = new Set([...reports.values()].flatMap(({ parts }) => Object.keys(parts)));
  const parts = [...names].map((name) => [name, stateOf(name, reports)] as const);
  return { ready: ready > 0, parts: { workers: `${ready} of ${workers} ready`, ...Object.fromEntries(parts) } };
}

/** Where workers see a part alike it is said once. */
function stateOf(part: string, reports: ReadonlyMap<number, Health>): string {
  const states = [...reports].map(([worker, { parts }]) => ({ worker, state: parts[part] ?? 'unknown' }));
  const [first] = states;
  if (first && states.every(({ state }) => state === first.state)) return first.state;
  return states.map(({ worker, state }) => `worker ${worker}: ${state}`).join('; ');
}
