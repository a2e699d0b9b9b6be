import type { Registry } from '@clinic/contracts/remotes';
import { loggedAddresses, segmentsOfPaths } from '@clinic/service-kit/logged-address';
import { firebasePaths } from '../proxy/firebase.ts';
import type { RemoteRegistry } from '../registry/registry.ts';
import { gatewaySegments } from '../registry/segment-claims.ts';
import type { Services } from '../services/services.ts';
import { hashedName } from './hashed-name.ts';

/** The gateway's own addresses, and front-end files without a hash in their name, which the log may show. */
const ownPaths = [
  ...gatewaySegments,
  'live',
  'ready',
  'registry.json',
  'personal-data.json',
  'robots.txt',
  'sitemap.xml',
  'favicon.ico',
  'favicon.svg',
  'index.html',
  'deployed.json',
  'remote.json',
  'uses.json',
  'provides.json',
  'assets',
  'site.webmanifest',
  ...firebasePaths,
];

/** Reduces addresses to what the log may show. */
export function addressLog(
  registry: RemoteRegistry,
  remotes: ReadonlyMap<string, unknown>,
  services: Services,
): (url: string) => string {
  const known = new WeakMap<Registry, ReadonlySet<string>>();
  const segmentsIn = (current: Registry): ReadonlySet<string> => {
    let segments = known.get(current);
    if (!segments) {
      segments = new Set(segmentsOfPaths([...ownPaths, ...remotes.keys(), ...registry.paths, ...services.paths]));
      known.set(current, segments);
    }
    return segments;
  };
  return loggedAddresses((segment) => segmentsIn(registry.current).has(segment) || hashedName.test(segment));
}
