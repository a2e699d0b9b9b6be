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

/** Addresses whose logged form is kept: the same few are requested again and again. */
const maxKept = 1000;
const maxKeptLength = 200;

/** Reduces addresses to what the log may show. */
export class LoggedAddresses {
  readonly #published: () => Iterable<string>;
  #segments: ReadonlySet<string> | undefined;
  readonly #kept = new Map<string, string>();
  readonly #reduce: (url: string) => string;

  /** @param published - names of remotes, and paths that pages and services publish */
  constructor(published: () => Iterable<string>) {
    this.#published = published;
    this.#reduce = loggedAddresses((segment) => {
      this.#segments ??= new Set(segmentsOfPaths([...ownPaths, ...this.#published()]));
      return this.#segments.has(segment) || hashedFile.test(segment);
    });
  }

  /** Call this after publications have changed. */
  forget(): void {
    this.#segments = undefined;
    this.#kept.clear();
  }

  /** @returns the address as a JSON string */
  of(url: string): string {
    const kept = this.#kept.get(url);
    if (kept !== undefined) return kept;
    const logged = JSON.stringify(this.#reduce(url));
    if (url.length <= maxKeptLength) {
      if (this.#kept.size >= maxKept) this.#kept.clear();
      this.#kept.set(url, logged);
    }
    return logged;
  }
}
