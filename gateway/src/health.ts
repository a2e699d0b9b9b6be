import type { Health } from './metrics.ts';
import type { Site } from './pages/site.ts';
import type { Upstreams } from './proxy/upstreams.ts';
import type { Readiness } from './server/readiness.ts';
import type { Registry } from '@clinic/contracts/remotes';
import type { Service } from './registry/services.ts';
import type { Upstream } from './proxy/upstream.ts';

/** State of each part, for operators. */
export function healthOf(readiness: Readiness, site: Site, { services, remotes, shell }: Upstreams): Health {
  return {
    ready: readiness.ready,
    parts: {
      gateway: readiness.stopping ? 'stopping' : 'ok',
      shell: `${site.ready ? 'ok' : 'not loaded yet'}; ${replicaStates(shell)}`,
      ...Object.fromEntries([...remotes].map(([name, upstream]) => [name, remoteState(site.registry, name, upstream)])),
      ...Object.fromEntries(
        services.all.map((service) => [service.name, serviceState(service, services.rejected.get(service.name))]),
      ),
    },
  };
}

/** Describes a remote for operators: its version and each of its servers. */
function remoteState({ remotes, away }: Registry, name: string, upstream: Upstream): string {
  const remote = remotes.find((known) => known.name === name);
  return `${away.includes(name) ? 'not loaded yet' : `ok, version ${remote?.version}`}; ${replicaStates(upstream)}`;
}

/** Describes a service for operators: its version, each replica, and the segments it claimed but didn't get. */
function serviceState({ upstream, version }: Service, rejected: readonly string[] | undefined): string {
  return `version ${version}; ${replicaStates(upstream)}${rejected ? `; refused: ${rejected.map((segment) => `/${segment}`).join(', ')}` : ''}`;
}

/** Describes the replicas of a part, e.g. `svc-clinic:4002 (172.18.0.5) ready`. */
function replicaStates({ replicas }: Upstream): string {
  const states = replicas.all.map(({ name, readiness, isLeftOut, note }) => {
    const state = isLeftOut ? `${readiness}, left out` : readiness;
    return note === '' ? `${name} ${state}` : `${name} ${state}, ${note}`;
  });
  return states.join('; ') || 'no address found';
}
