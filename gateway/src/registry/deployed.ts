import type { Deployed } from '@clinic/contracts/uses';
import { serviceWindow } from '@clinic/contracts/window/services';
import type { Services } from './services.ts';

/**
 * The services' calls now, for checks before a deployment, without those whose first segment belongs to another
 * service.
 */
export function deployedOf(services: Services): Deployed {
  return {
    contracts: serviceWindow,
    services: services.all.flatMap((service) => {
      if (!service.publication) return [];
      const { name, version, contractVersion, segments, calls } = service.publication;
      const owned = segments.filter((segment) => services.find(segment) === service);
      return {
        name,
        version,
        contractVersion,
        segments: owned,
        calls: calls
          .filter(({ path }) => owned.includes(path.split('/')[1] ?? ''))
          .map(({ id, method, path }) => ({ id, method, path })),
      };
    }),
    unknown: services.all.filter(({ isKnown }) => !isKnown).map(({ name }) => name),
  };
}
