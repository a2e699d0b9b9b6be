import type { Registry } from '@clinic/contracts/remotes';
import type { Service } from './registry/services.ts';
import type { Upstream } from './proxy/upstream.ts';

/** Describes a remote for operators: its version and each of its servers. */
export function remoteState({ remotes, away }: Registry, name: string, upstream: Upstream): string {
  const remote = remotes.find((known) => known.name === name);
  return `${away.includes(name) ? 'not read yet' : `ok, version ${remote?.version}`}; ${replicaStates(upstream)}`;
}

/** Describes a service for operators: its version, each replica, and the segments it claimed but didn't get. */
export function serviceState({ upstream, version }: Service, refused: readonly string[] | undefined): string {
  return `version ${version}; ${replicaStates(upstream)}${refused ? `; refused: ${refused.map((segment) => `/${segment}`).join(', ')}` : ''}`;
}

/** Describes the replicas of a part, e.g. `svc-clinic:4002 (172.18.0.5) ready`. */
export function replicaStates({ replicas }: Upstream): string {
  const states = replicas.all.map(({ name, readiness, breaker, note }) => {
    const state = breaker.state === 'closed' ? readiness : `${readiness}, breaker ${breaker.state}`;
    return note === '' ? `${name} ${state}` : `${name} ${state}, ${note}`;
  });
  return states.join('; ') || 'no address found';
}
