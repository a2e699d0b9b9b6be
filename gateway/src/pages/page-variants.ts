import type { RegisteredRemote, Registry } from '@clinic/contracts/remotes';
import { LRUCache } from 'lru-cache';
import type { LiveRegistry } from '../registry/registry.ts';
import { AddressBook } from './address-book.ts';

/** The site as some visitors get it: with the deployed remotes, or with canaries in place of some. */
export interface PageVariant {
  /** Names its canaries; empty for the deployed remotes. */
  readonly key: string;
  /** Whether every visitor gets it. */
  readonly shared: boolean;
  readonly registry: Registry;
  readonly addresses: AddressBook;
}

/** Each canary doubles the number of variants, so the least recently used ones are dropped. */
const mostKept = 16;

/** Composes each variant once. */
export class PageVariants {
  readonly #registry: LiveRegistry;
  readonly #ownPages: readonly string[];
  readonly #isShared: () => boolean;
  readonly #kept = new LRUCache<string, PageVariant>({ max: mostKept });

  /**
   * @param ownPages - the shell's own pages
   * @param isShared - whether there is no canary now
   */
  constructor(registry: LiveRegistry, ownPages: readonly string[], isShared: () => boolean) {
    this.#isShared = isShared;
    this.#registry = registry;
    this.#ownPages = ownPages;
  }

  /** @param canaries - replace the deployed remotes of the same names */
  with(canaries: readonly RegisteredRemote[]): PageVariant {
    const key = canaries.map(({ name, version }) => `${name} ${version}`).join(', ');
    const known = this.#kept.get(key);
    if (known) return known;
    const registry = canaries.length === 0 ? this.#registry.current : this.#registry.with(canaries);
    const variant = { key, shared: this.#isShared(), registry, addresses: new AddressBook(registry, this.#ownPages) };
    this.#kept.set(key, variant);
    return variant;
  }

  /** Call this after the registry has changed. */
  forget(): void {
    this.#kept.clear();
  }
}
