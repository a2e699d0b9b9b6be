import type { PersonalDataCall, Route } from './route.ts';

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

/** A REST call as the gateway sees it. */
export interface PublishedCall {
  /** Name of the call in the service's code; for logs. */
  readonly id: string;
  readonly method: string;
  /** Path pattern as Express writes it: `/invoices/:id`. */
  readonly path: string;
  /** Seconds until the response must have begun. */
  readonly timeoutSeconds?: number | undefined;
  /** Server-sent events: the response lasts as long as the client listens, and has a concurrency limit of its own. */
  readonly stream?: boolean | undefined;
  /** May be retried on another replica if the first doesn't respond. GET is retried unless this is false. */
  readonly safe?: boolean | undefined;
  /** The same response for everybody: it may be cached for a second. */
  readonly shared?: boolean | undefined;
  readonly maxBodyBytes?: number | undefined;
  /** Copies or erases what the service keeps about a person. */
  readonly personalData?: PersonalDataCall | undefined;
  /** Lists which staff viewed a person's records. */
  readonly looks?: boolean | undefined;
}

/** What a service publishes about itself: all that a gateway needs to route requests to it. */
export interface ServicePublication {
  /** The name it is configured under, e.g. `billing`. */
  readonly name: string;
  /** Version of this deployment, for people. */
  readonly version: string;
  /** The commit it was built from, for people. */
  readonly commit?: string | undefined;
  readonly contractVersion: number;
  /** First segments of its paths. Every request whose first segment equals one of them goes to this service. */
  readonly segments: readonly string[];
  readonly calls: readonly PublishedCall[];
}

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
