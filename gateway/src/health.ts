import type { Registry } from '@clinic/contracts/remotes';
import type { Service } from './services.ts';

/** A remote's state in words, for operators. */
export function remoteState({ remotes, away }: Registry, name: string): string {
  if (away.includes(name)) return 'not read yet';
  const remote = remotes.find((known) => known.name === name);
  return `ok, version ${remote?.version}`;
}

/** A service's state in words, for operators: its version, each replica, and what it wanted but did not get. */
export function serviceState({ upstream, version }: Service, refused: readonly string[] | undefined): string {
  const replicas = upstream.replicas.all.map(({ name, readiness, breaker }) => `${name} ${breaker.state === 'closed' ? readiness : `${readiness}, breaker ${breaker.state}`}`);
  return `version ${version}; ${replicas.join('; ') || 'no address found'}${refused ? `; refused: ${refused.map((segment) => `/${segment}`).join(', ')}` : ''}`;
}
