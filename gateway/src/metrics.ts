import { createServer, type Server } from 'node:http';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export interface Metrics {
  /** @param seconds from the request's arrival to the end of its answer */
  observe(target: string, method: string, status: number, seconds: number): void;
  readonly registry: Registry;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'gateway_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer',
    labelNames: ['target', 'method', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  // Looking a combination of labels up costs more than observing it.
  const series = new Map<string, { observe: (seconds: number) => void }>();
  return {
    registry,
    observe(target, method, status, seconds) {
      const group = Math.floor(status / 100);
      const key = `${target} ${method} ${group}`;
      let one = series.get(key);
      if (!one) {
        one = duration.labels(target, method, `${group}xx`);
        series.set(key, one);
      }
      one.observe(seconds);
    },
  };
}

export interface Health {
  readonly ready: boolean;
  /** State of each part, for the operator. */
  readonly parts: Readonly<Record<string, string>>;
}

/** The server for operators: `/metrics`, `/health/live`, `/health/ready`; never published. */
export function createInternalServer(metrics: Metrics, health: () => Health): Server {
  return createServer((req, res) => {
    const json = (status: number, body: unknown): void => void res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    if (req.url === '/health/live') return json(200, { status: 'ok' });
    if (req.url === '/health/ready') {
      const { ready, parts } = health();
      return json(ready ? 200 : 503, { status: ready ? 'ok' : 'waiting', parts });
    }
    if (req.url !== '/metrics') return json(404, { status: 'unknown address' });
    metrics.registry.metrics().then(
      (text) => res.writeHead(200, { 'Content-Type': metrics.registry.contentType }).end(text),
      (error: unknown) => json(500, { status: String(error) }),
    );
  });
}
