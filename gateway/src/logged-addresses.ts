import { loggedAddresses, segmentsOfPaths } from '@clinic/service-kit/logged-address';
import { firebasePaths } from './proxy/firebase.ts';
import { gatewaySegments } from './registry/gateway-segments.ts';

/** The gateway's own addresses, and front-end files without a hash in their name, which the log may show. */
const ownPaths = [
  ...gatewaySegments,
  'live',
  'ready',
  'registry.json',
  'robots.txt',
  'sitemap.xml',
  'favicon.ico',
  'favicon.svg',
  'index.html',
  'remote.json',
  'assets',
  'site.webmanifest',
  ...firebasePaths,
];

/** A file with a digest in its name. */
const hashedFile = /^[\w-]{1,40}\.[0-9a-f]{16,32}\.\w{2,5}$/;

/** Reduces addresses to what the log may show. */
export class LoggedAddresses {
  readonly #published: () => Iterable<string>;
  #known: ReadonlySet<string> | undefined;

  /** @param published - names of remotes, and paths that pages and services publish */
  constructor(published: () => Iterable<string>) {
    this.#published = published;
  }

  /** Call this after publications have changed. */
  forget(): void {
    this.#known = undefined;
  }

  readonly of = loggedAddresses((segment) => {
    this.#known ??= new Set(segmentsOfPaths([...ownPaths, ...this.#published()]));
    return this.#known.has(segment) || hashedFile.test(segment);
  });
}
