import { matchRoutes } from '@clinic/app-kit/host';
import type { RouteObject } from '@clinic/app-kit';
import type { Registry } from '@clinic/contracts';
import { RemoteError } from '../federation/remote-error.ts';
import type { RegistryStore } from '../federation/registry.ts';
import { PageMissing } from './page-missing.ts';
import type { PageHandle } from './page-handle.ts';
import { createRoutes, unknownAddress } from './routes.tsx';
import type { Screens } from './screens.ts';

/** All pages that exist now. */
export interface Pages {
  /** The same array until the registry lists other remotes. */
  readonly routes: () => RouteObject[];
  /**
   * Loads what the page at a path needs; `undefined` if all is loaded. An unknown address triggers a registry request, since
   * a remote may have been added.
   *
   * @throws RemoteError, PageMissing
   */
  readonly prepare: (pathname: string) => Promise<void> | undefined;
  /** Loads the page at a path, which is about to be opened; `undefined` if all is loaded or there is no such page. */
  readonly prefetch: (pathname: string) => Promise<void> | undefined;
  /** The route of the page at a path, if there is one. */
  readonly find: (pathname: string) => RouteObject | undefined;
}

/** @param development - includes what only developers need */
export function createPages(registry: RegistryStore, screens: Screens, development = false): Pages {
  let known: Registry | undefined;
  let routes: RouteObject[] = [];

  function current(): RouteObject[] {
    const now = registry.get();
    if (now !== known) routes = createRoutes(now, screens, development);
    known = now;
    return routes;
  }

  function find(pathname: string): RouteObject | undefined {
    const route = matchRoutes(current(), pathname)?.at(-1)?.route;
    return route?.path === unknownAddress ? undefined : route;
  }

  function load({ handle }: RouteObject): Promise<void> | undefined {
    const page = handle as PageHandle | undefined;
    return page?.isHere() === false ? page.load() : undefined;
  }

  async function seek(pathname: string): Promise<void> {
    // If that fails the address stays unknown, which is what the visitor sees.
    await registry.refresh().catch((error: unknown) => console.warn('The registry could not be read', error));
    const found = find(pathname);
    if (found) return load(found);
    const [away] = registry.get().away;
    throw away === undefined ? new PageMissing() : new RemoteError({ name: away, title: 'This page' }, 'away');
  }

  return {
    routes: current,
    prepare(pathname) {
      const found = find(pathname);
      return found ? load(found) : seek(pathname);
    },
    prefetch(pathname) {
      const found = find(pathname);
      return found && load(found);
    },
    find,
  };
}
