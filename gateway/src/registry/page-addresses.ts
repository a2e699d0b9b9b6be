import type { PageDescriptor } from '@clinic/contracts/pages';
import type { RegisteredRemote } from '@clinic/contracts/remotes';
import type { Logger } from 'pino';
import type { SegmentClaims } from './segment-claims.ts';

/** Owner name for the segments of all pages, whichever remote they belong to. */
export const pagesOwner = 'pages';

export interface PageAddressesOptions {
  /** The shell's own pages. */
  readonly shellPages: readonly string[];
  readonly claims: SegmentClaims;
  /** Whether the clinic is a demo, which has pages of its own. */
  readonly demo: boolean;
  readonly log: Logger;
}

/** Assigns addresses to pages: none that a service or the gateway owns, and each only once. */
export class PageAddresses {
  readonly #options: PageAddressesOptions;
  /** Pages that are left out, so that each is logged once. */
  readonly #leftOut = new Set<string>();

  constructor(options: PageAddressesOptions) {
    this.#options = options;
  }

  /** Claims the first segments of all pages. */
  claim(remotes: Iterable<RegisteredRemote>): void {
    const { claims, shellPages } = this.#options;
    const paths = [...remotes].flatMap(({ pages, redirects }) => [
      ...pages.filter((page) => this.#exists(page)).map(({ path }) => path),
      ...redirects.map(({ from }) => from),
    ]);
    claims.claim(pagesOwner, [...new Set([...shellPages, ...paths].map(segmentOf))]);
  }

  /** Leaves out pages that could never be opened or that an earlier remote has; they would only confuse the shell. */
  share(remotes: readonly RegisteredRemote[]): RegisteredRemote[] {
    const taken = new Set<string>();
    return remotes.map((remote) => ({
      ...remote,
      pages: remote.pages.filter((page) => {
        if (!this.#exists(page)) return false;
        const { path } = page;
        const free = this.#options.claims.owns(pagesOwner, segmentOf(path)) && !taken.has(path);
        taken.add(path);
        this.#note(remote.name, path, free);
        return free;
      }),
    }));
  }

  #exists({ demo }: PageDescriptor): boolean {
    return this.#options.demo || demo !== true;
  }

  #note(remote: string, path: string, free: boolean): void {
    const key = `${remote} ${path}`;
    if (free) return void this.#leftOut.delete(key);
    if (this.#leftOut.has(key)) return;
    this.#leftOut.add(key);
    const { log, claims } = this.#options;
    log.error({ remote, path, takenBy: claims.ownerOf(segmentOf(path)) }, 'page left out: the address is taken');
  }
}

function segmentOf(path: string): string {
  return path.split('/')[1] ?? '';
}
