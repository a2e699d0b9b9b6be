import type { PageDescriptor } from '@clinic/contracts';
import type { RegisteredRemote, Registry } from '@clinic/contracts/remotes';
import { match, type MatchFunction } from 'path-to-regexp';

/** What a path of the web application resolves to. */
export type Address =
  | { readonly kind: 'page'; readonly page: PageDescriptor; readonly remote: RegisteredRemote }
  | { readonly kind: 'shell'; readonly path: string }
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'unknown' };

/** Maps paths to remotes' pages. Like the browser's router, it ignores case and a trailing slash. */
export class AddressBook {
  readonly #addresses: readonly { readonly find: MatchFunction<Values>; readonly at: (values: Values) => Address }[];

  constructor({ remotes }: Registry, shellPages: readonly string[]) {
    const pages = remotes.flatMap((remote) => remote.pages.map((page) => ({ page, remote })));
    this.#addresses = [
      ...pages.map(({ page, remote }) => addressAt(page.path, () => ({ kind: 'page', page, remote }))),
      ...shellPages.map((path) => addressAt(path, () => ({ kind: 'shell', path }))),
      ...remotes
        .flatMap(({ redirects }) => redirects)
        .map(({ from, to }) => addressAt(from, (values) => ({ kind: 'redirect', to: filled(to, values) }))),
    ];
  }

  /** @param path - the path of a request, still encoded */
  find(path: string): Address {
    for (const { find, at } of this.#addresses) {
      const found = find(path);
      if (found) return at(found.params);
    }
    return { kind: 'unknown' };
  }
}

/** Of parameters by name, still encoded. */
type Values = Partial<Record<string, string>>;

function addressAt(path: string, at: (values: Values) => Address) {
  return { find: match<Values>(path, { decode: false }), at };
}

function filled(path: string, values: Values): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? '');
}
