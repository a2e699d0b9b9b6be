import type { Route } from './routes.ts';

/** Version of the agreement between gateway and services. The gateway leaves out what a service of another version publishes, and says so. */
export const serviceContractVersion = 1;

/** Where a service publishes what it answers, on its own port; never routed from outside. */
export const publicationPath = '/.well-known/clinic-service';

/** Seconds until an answer must have begun, where a call says nothing else. */
export const defaultTimeoutSeconds = 10;

/** Most bytes of a request's body, where a call says nothing else. */
export const defaultMaxBodyBytes = 100 * 1024;

/** One REST call as the gateway needs to know it. */
export interface PublishedCall {
  /** What the service's code calls it by; for logs. */
  readonly id: string;
  readonly method: string;
  /** Path pattern as Express writes it: `/invoices/:id`. */
  readonly path: string;
  /** Seconds until the answer must have begun. */
  readonly timeoutSeconds?: number | undefined;
  /** Server-sent events: the answer goes on for as long as the client listens, and counts against a limit of its own. */
  readonly stream?: boolean | undefined;
  /** May be sent a second time, to another replica, when the first does not answer. GET may unless this says otherwise. */
  readonly safe?: boolean | undefined;
  /** The same answer for everybody: it may be repeated for a second. */
  readonly shared?: boolean | undefined;
  readonly maxBodyBytes?: number | undefined;
}

/** What a service publishes about itself: all that a gateway needs to send it its requests. */
export interface ServicePublication {
  /** The name it is configured under, e.g. `billing`. */
  readonly name: string;
  /** Version of this deployment, for people. */
  readonly version: string;
  readonly contractVersion: number;
  /** First segments of its paths. It gets every request whose first segment is one of them, compared as a whole. */
  readonly segments: readonly string[];
  readonly calls: readonly PublishedCall[];
}

/** What of a route the publication is made from. */
export type PublishableRoute = Pick<Route, 'method' | 'path' | 'access' | 'paged' | 'media' | 'timeoutSeconds' | 'maxBodyBytes'>;

/** Composes what a service publishes from its table of calls. */
export function publicationOf(name: string, version: string, routes: Iterable<readonly [string, PublishableRoute]>): ServicePublication {
  const calls = [...routes].map(([id, { method, path, access, paged, media, timeoutSeconds, maxBodyBytes }]): PublishedCall => ({
    id, method, path,
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(maxBodyBytes !== undefined && { maxBodyBytes }),
    ...(media === 'text/event-stream' && { stream: true }),
    ...(method === 'GET' && { safe: true }),
    ...(method === 'GET' && access.kind === 'everyone' && paged && { shared: true }),
  }));
  const segments = [...new Set(calls.map(({ path }) => path.split('/')[1] ?? ''))];
  return { name, version, contractVersion: serviceContractVersion, segments, calls };
}
