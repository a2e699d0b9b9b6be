import { galleryPage, shellPages, type PageDescriptor } from '@clinic/contracts/pages';
import type { RegisteredRemote, Registry } from '@clinic/contracts/remotes';
import { LRUCache } from 'lru-cache';
import type { Context } from '../context.ts';
import type { FrontEnd } from '../deployments/front-end.ts';
import { AddressBook } from './address-book.ts';
import { Troubles } from '../troubles.ts';
import { pagesOwner } from './segment-claims.ts';

/** The site as some visitors get it: with the deployed remotes, or with canaries in place of some. A new object after each change. */
export interface Variant {
  readonly registry: Registry;
  readonly addresses: AddressBook;
  /** Whether all visitors get it. */
  readonly sameForAll: boolean;
}

/** Each canary doubles the number of variants, so the least recently used ones are dropped. */
const mostVariants = 16;

/**
 * Composes the registry from what each remote publishes, so that deploying one changes nothing else. A page's address goes to
 * the first that claims it, and to none that a service or the gateway owns.
 */
export class RemoteRegistry {
  readonly #context: Context;
  readonly #remotes: ReadonlyMap<string, FrontEnd>;
  /** The shell's own pages. The design system's gallery is for development only. */
  readonly #shellPages: readonly string[];
  readonly #leftOut: Troubles<string>;
  readonly #variants = new LRUCache<string, Variant>({ max: mostVariants });

  constructor(context: Context, remotes: ReadonlyMap<string, FrontEnd>) {
    this.#context = context;
    this.#remotes = remotes;
    this.#shellPages = context.settings.NODE_ENV === 'production' ? shellPages : [...shellPages, galleryPage];
    this.#leftOut = new Troubles(context.log, 'page left out: the address is taken', undefined, 'error');
    this.#claimAll();
  }

  /** With the deployed remotes; a new object after each change. */
  get current(): Registry {
    return this.variant([]).registry;
  }

  /** @param canaries - replace the deployed remotes of the same names */
  variant(canaries: readonly RegisteredRemote[]): Variant {
    const key = canaries.map(({ name, version }) => `${name} ${version}`).join(', ');
    const known = this.#variants.get(key);
    if (known) return known;
    const registry = this.#with(canaries);
    const variant: Variant = {
      registry,
      addresses: new AddressBook(registry, this.#shellPages),
      sameForAll: [...this.#remotes.values()].every(({ runningCanary }) => runningCanary === undefined),
    };
    this.#variants.set(key, variant);
    return variant;
  }

  /** The route paths of all pages and redirects, also of canaries. */
  get paths(): readonly string[] {
    const builds = [...this.#remotes.values()].flatMap(({ remote, runningCanary }) =>
      [remote ?? [], runningCanary?.remote ?? []].flat(),
    );
    return [
      ...this.#shellPages,
      ...builds.flatMap(({ pages, redirects }) => [
        ...pages.filter((page) => this.#exists(page)).map(({ path }) => path),
        ...redirects.map(({ from }) => from),
      ]),
    ];
  }

  /** The route path of the page at a path, e.g. `/appoinment/:_id`; `undefined` if there is none. */
  readonly pageAt = (path: string): string | undefined => {
    const address = this.variant([]).addresses.find(path);
    if (address.kind === 'page') return address.page.path;
    return address.kind === 'shell' ? address.path : undefined;
  };

  #with(canaries: readonly RegisteredRemote[]): Registry {
    const remotes = [...this.#remotes];
    const served = remotes.flatMap(
      ([name, { remote }]) => (remote && canaries.find((canary) => canary.name === name)) ?? remote ?? [],
    );
    return {
      remotes: this.#withFreePages(served),
      away: remotes.flatMap(([name, { remote }]) => (remote ? [] : name)),
    };
  }

  /** Call this after others have claimed or released segments. */
  dropVariants(): void {
    this.#variants.clear();
  }

  /** Call this after a remote has published something else, another release is served, or a canary has come or gone. */
  claim(): void {
    this.#claimAll();
    this.dropVariants();
  }

  /** Claims the first segments of all pages, also of canaries. */
  #claimAll(): void {
    this.#context.claims.claim(pagesOwner, [...new Set(this.paths.map(segmentOf))]);
  }

  /** Leaves out pages that could never be opened or that an earlier remote has; they would only confuse the shell. */
  #withFreePages(remotes: readonly RegisteredRemote[]): RegisteredRemote[] {
    const taken = new Set<string>();
    return remotes.map((remote) => ({
      ...remote,
      pages: remote.pages.filter((page) => {
        if (!this.#exists(page)) return false;
        const { path } = page;
        const { claims } = this.#context;
        const free = claims.owns(pagesOwner, segmentOf(path)) && !taken.has(path);
        taken.add(path);
        const key = `${remote.name} ${path}`;
        if (free) this.#leftOut.end(key);
        else this.#leftOut.begin(key, String(claims.ownerOf(segmentOf(path))), { remote: remote.name, path });
        return free;
      }),
    }));
  }

  #exists({ demo }: PageDescriptor): boolean {
    return this.#context.settings.DEMO_MODE || demo !== true;
  }
}

function segmentOf(path: string): string {
  return path.split('/')[1] ?? '';
}
