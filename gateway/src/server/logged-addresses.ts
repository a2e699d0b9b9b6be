import { loggedAddresses, segmentsOfPaths } from '@clinic/service-kit/logged-address';
import { firebasePaths } from '../proxy/firebase.ts';
import { gatewaySegments } from '../registry/gateway-segments.ts';

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

/** A file with a digest in its name. */
const hashedFile = /^[\w-]{1,40}\.[0-9a-f]{16,32}\.\w{2,5}$/;

/** Reduces addresses to what the log may show. */
export class LoggedAddresses {
  readonly #published: () => Iterable<string>;
  #segments: ReadonlySet<string> | undefined;
  readonly of: (url: string) => string;

  /** @param published - names of remotes, and paths that pages and services publish */
  constructor(published: () => Iterable<string>) {
    this.#published = published;
    this.of = loggedAddresses((segment) => {
      this.#segments ??= new Set(segmentsOfPaths([...ownPaths, ...this.#published()]));
      return this.#segments.has(segment) || hashedFile.test(segment);
    });
  }

  /** Call this after publications have changed. */
  forget(): void {
    this.#segments = undefined;
  }
}
