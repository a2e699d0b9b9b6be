import { createServer, type Server } from 'node:http';
import type { Registry as MetricsRegistry } from 'prom-client';
import type { Deployments } from '../deployments/deployments.ts';
import type { Site } from '../pages/site.ts';
import type { Upstreams } from '../proxy/upstreams.ts';
import type { Readiness } from '../server/readiness.ts';
import type { Registry } from '@clinic/contracts/remotes';
import type { Service } from '../registry/services.ts';
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

/** The operators' server: `/metrics`, `/targets`, `/health/live`, `/health/ready`. Never expose it. */
export function createInternalServer(
  metrics: Pick<MetricsRegistry, 'metrics' | 'contentType'>,
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

/** State of each part, for operators. */
export function healthOf(
  readiness: Readiness,
  site: Site,
  deployments: Deployments,
  { services, remotes, shell }: Upstreams,
): Health {
  return {
    ready: readiness.ready,
    parts: {
      gateway: readiness.stopping ? 'stopping' : 'ok',
      shell: `${site.ready ? 'ok' : 'not loaded yet'}; ${replicaStates(shell)}${noteOf(deployments, 'shell')}`,
      ...Object.fromEntries(
        [...remotes].map(([name, upstream]) => [
          name,
          `${remoteState(site.registry, name, upstream)}${noteOf(deployments, name)}`,
        ]),
      ),
      ...Object.fromEntries(
        services.all.map((service) => [service.name, serviceState(service, services.rejectedOf(service))]),
      ),
    },
  };
}

/** Where the services' replicas have their metrics: as the gateway finds them, so that an added domain needs no setting. */
export function targetsOf({ services }: Upstreams, port: number): readonly ScrapeTargets[] {
  return services.all.map(({ name, upstream: { replicas } }) => ({
    targets: replicas.all.map((replica) => {
      // The address of a resolved name is part of the replica's.
      const host = / \(([^)]+)\)$/.exec(replica.name)?.[1] ?? replica.target.hostname;
      return `${host.includes(':') ? `[${host}]` : host}:${port}`;
    }),
    labels: { part: `svc-${name}` },
  }));
}

/** Why another release than the deployed one is served. */
function noteOf(deployments: Deployments, name: string): string {
  const note = deployments.noteOf(name);
  return note === undefined ? '' : `; ${note}`;
}

/** Describes a remote for operators: its version and each of its servers. */
function remoteState({ remotes, away }: Registry, name: string, upstream: Upstream): string {
  const remote = remotes.find((known) => known.name === name);
  return `${away.includes(name) ? 'not loaded yet' : `ok, version ${remote?.version}`}; ${replicaStates(upstream)}`;
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
