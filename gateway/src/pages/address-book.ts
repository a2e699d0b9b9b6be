import type { PageDescriptor } from '@clinic/contracts';
import type { RegisteredRemote, Registry } from '@clinic/contracts/remotes';

/** What a path of the web application resolves to. */
export type Address =
  | { readonly kind: 'page'; readonly page: PageDescriptor; readonly remote: RegisteredRemote }
  | { readonly kind: 'shell'; readonly path: string }
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'unknown' };

/** Maps paths to remotes' pages. Like the browser's router, it ignores case and a trailing slash. */
export class AddressBook {
  readonly #pages: { pattern: RegExp; page: PageDescriptor; remote: RegisteredRemote }[];
  readonly #redirects: { pattern: RegExp; to: string }[];
  readonly #shellPages: { pattern: RegExp; path: string }[];

  constructor(registry: Registry, shellPages: readonly string[]) {
    this.#pages = registry.remotes.flatMap((remote) =>
      remote.pages.map((page) => ({ pattern: patternOf(page.path), page, remote })),
    );
    this.#redirects = registry.remotes.flatMap((remote) =>
      remote.redirects.map(({ from, to }) => ({ pattern: patternOf(from), to })),
    );
    this.#shellPages = shellPages.map((path) => ({ pattern: patternOf(path), path }));
  }

  /** @param path - the path of a request, still encoded */
  find(path: string): Address {
    const hit = this.#pages.find(({ pattern }) => pattern.test(path));
    if (hit) return { kind: 'page', page: hit.page, remote: hit.remote };
    const own = this.#shellPages.find(({ pattern }) => pattern.test(path));
    if (own) return { kind: 'shell', path: own.path };
    for (const { pattern, to } of this.#redirects) {
      const match = pattern.exec(path);
      if (match)
        return { kind: 'redirect', to: to.replaceAll(/:(\w+)/g, (_, name: string) => match.groups?.[name] ?? '') };
    }
    return { kind: 'unknown' };
  }
}

function patternOf(path: string): RegExp {
  const source = path
    .split('/')
    .slice(1)
    .map((part) =>
      part.startsWith(':')
        ? `/(?<${part.slice(1)}>[^/]+)`
        : `/${part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`,
    )
    .join('');
  return new RegExp(`^${source}/?$`, 'i');
}
