import { createServer, type Server } from 'node:http';
import type { Deployments } from '../deployments/deployments.ts';
import type { FrontEnd } from '../deployments/front-end.ts';
import type { Readiness } from '../server/readiness.ts';
import type { Metrics } from './metrics.ts';
import type { Service, Services } from '../services/services.ts';
import type { Upstream } from '../proxy/upstream.ts';

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

/** What operators see of a gateway. */
export interface OperatorsView {
  readonly metrics: Metrics;
  readonly health: () => Health;
  /** Where the services' replicas have their metrics. */
  readonly targets: () => readonly ScrapeTargets[];
}

/** The operators' server: `/metrics`, `/targets`, `/health/live`, `/health/ready`. Never expose it. */
export function createInternalServer({ metrics, health, targets }: OperatorsView): Server {
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
    metrics.registry.metrics().then(
      (text) => res.writeHead(200, { 'Content-Type': metrics.registry.contentType }).end(text),
      (error: unknown) => json(500, { status: String(error) }),
    );
  });
}

/** State of each part, for operators. */
export function healthOf(readiness: Readiness, { all }: Deployments, services: Services): Health {
  return {
    ready: readiness.ready,
    parts: {
      gateway: readiness.stopping ? 'stopping' : 'ok',
      ...Object.fromEntries([...all].map(([name, frontEnd]) => [name, frontEndState(frontEnd)])),
      ...Object.fromEntries(
        services.all.map((service) => [service.name, serviceState(service, services.rejectedOf(service))]),
      ),
    },
  };
}

/** Where the services' replicas have their metrics: as the gateway finds them, so that an added domain needs no setting. */
export function targetsOf(services: Services, port: number): readonly ScrapeTargets[] {
  return services.all.map(({ name, upstream: { replicas } }) => ({
    targets: replicas.all.map((replica) => {
      // The address of a resolved name is part of the replica's.
      const ip = / \(([^)]+)\)$/.exec(replica.name)?.[1];
      const host = ip?.includes(':') ? `[${ip}]` : (ip ?? replica.target.hostname);
      return `${host}:${port}`;
    }),
    labels: { part: `svc-${name}` },
  }));
}

/** Describes a front-end for operators: a remote's version, each of its servers, and why it isn't the deployed release. */
function frontEndState({ page, remote, upstream, note }: FrontEnd): string {
  const loaded = remote ? `ok, version ${remote.version}` : page === undefined ? 'not loaded yet' : 'ok';
  return [loaded, replicaStates(upstream), note ?? []].flat().join('; ');
}

/** Describes a service for operators: its version, each replica, and the segments it claimed but didn't get. */
function serviceState({ upstream, publication }: Service, rejected: readonly string[]): string {
  return `version ${publication?.version ?? 'not published yet'}; ${replicaStates(upstream)}${rejected.length > 0 ? `; refused: ${rejected.map((segment) => `/${segment}`).join(', ')}` : ''}`;
}

/** Describes the replicas of a part, e.g. `svc-clinic:4002 (172.18.0.5) ready`. */
function replicaStates({ replicas }: Upstream): string {
  const states = replicas.all.map(({ name, readiness, isLeftOut }) => {
    const state = isLeftOut ? `${readiness}, left out` : readiness;
    return `${name} ${state}`;
  });
  return states.join('; ') || 'no address found';
}
