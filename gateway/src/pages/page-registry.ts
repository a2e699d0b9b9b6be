import type { RegisteredRemote, Registry } from '@clinic/contracts/remotes';
import type { Address } from '../registry/address-book.ts';

/** Shells that load the other hashes name the file of their own. */
const waitsForHashes = /<script [^>]*id="integrity" data-hashes=/;

/** Where pages that arrive as HTML find their registry. @param page - route path */
export const registryPathOf = (page: string): string => `/registry.json?page=${encodeURIComponent(page)}`;

/**
 * The registry as the shell needs it for a page: without what only search engines read, which is in the head of its own page, and
 * with the hashes of this page's files only, where the shell and the remotes' loaders wait for the others.
 *
 * @param shell - the shell's page
 */
export function registryFor(registry: Registry, address: Address, shell: string): Registry {
  const waits = waitsForHashes.test(shell);
  const remotes = registry.remotes.map((remote) => ({
    ...remote,
    pages: remote.pages.map(({ facts: _facts, ...page }) => page),
    ...(waits && remote.hashes && { integrity: ownHashes(remote, address) }),
  }));
  return { ...registry, remotes };
}

function ownHashes({ name, integrity, ...remote }: RegisteredRemote, address: Address): Record<string, string> {
  if (address.kind !== 'page' || address.remote.name !== name) return {};
  const files = [...firstFilesOf(remote, address.page.path), ...lateFilesOf(remote, address.page.path)];
  return Object.fromEntries(files.map((file) => [file, integrity[file] ?? '']));
}

type Files = Pick<RegisteredRemote, 'entry' | 'preload' | 'pagePreload' | 'styles' | 'htmlPreload'>;

/** What a page loads at first. */
export function firstFilesOf({ entry, preload, pagePreload = {}, styles }: Files, page: string): string[] {
  // Builds without `entry`, and older shells, have `preload`.
  return [...styles, ...(entry === undefined ? preload : [entry]), ...(pagePreload[page] ?? [])];
}

/** What it loads later, unless it arrives as HTML. */
export const lateFilesOf = ({ htmlPreload = {} }: Files, page: string): readonly string[] => htmlPreload[page] ?? [];
