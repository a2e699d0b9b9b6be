import type { Route } from './route.ts';
import type { PublishedCall, ServicePublication } from './schemas/publication.ts';

export type { PublishedCall, ServicePublication };

/**
 * Version of the contract between gateway and services. The gateway ignores and logs publications of other versions.
 */
export const serviceContractVersion = 1;

/** Where a service publishes its routes, on its own port; never routed from outside. */
export const publicationPath = '/.well-known/clinic-service';

/** Default time limit until a response has begun, seconds. */
export const defaultTimeoutSeconds = 10;

/** Default limit of a request body, bytes. */
export const defaultMaxBodyBytes = 100 * 1024;

/** The part of a route that goes into the publication. */
export type PublishableRoute = Pick<
  Route,
  'method' | 'path' | 'access' | 'paged' | 'media' | 'timeoutSeconds' | 'maxBodyBytes' | 'personalData' | 'looks'
>;

/** Builds a service's publication from its table of calls. */
export function publicationOf(
  name: string,
  version: string,
  routes: Iterable<readonly [string, PublishableRoute]>,
): ServicePublication {
  const calls = [...routes].map(
    ([
      id,
      { method, path, access, paged, media, timeoutSeconds, maxBodyBytes, personalData, looks },
    ]): PublishedCall => ({
      id,
      method,
      path,
      ...(timeoutSeconds !== undefined && { timeoutSeconds }),
      ...(maxBodyBytes !== undefined && { maxBodyBytes }),
      ...(personalData !== undefined && { personalData }),
      ...(looks && { looks }),
      ...(media === 'text/event-stream' && { stream: true }),
      ...(method === 'GET' && { safe: true }),
      ...(method === 'GET' && access.kind === 'everyone' && paged && { shared: true }),
    }),
  );
  const segments = [...new Set(calls.map(({ path }) => path.split('/')[1] ?? ''))];
  return { name, version, contractVersion: serviceContractVersion, segments, calls };
}
