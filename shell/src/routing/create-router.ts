import { createBrowserRouter, matchPath, readConfig } from '@clinic/app-kit/host';
import type { PageDescriptor, RegisteredRemote } from '@clinic/contracts';
import type { RegistryStore } from '../federation/registry.ts';
import { addRemote, createRoutes } from './routes.tsx';
import type { Screens } from './screens.ts';

/** The page that a path leads to, and whose it is. */
export function findPage(registry: RegistryStore, pathname: string): { readonly remote: RegisteredRemote; readonly page: PageDescriptor } | undefined {
  for (const remote of registry.get().remotes) {
    const page = remote.pages.find(({ path }) => matchPath(path, pathname));
    if (page) return { remote, page };
  }
  return undefined;
}

/** The application's router. An address that nobody offers makes it ask for news: a remote may have come since. */
export function createRouter(registry: RegistryStore, screens: Screens): ReturnType<typeof createBrowserRouter> {
  const known = new Set(registry.get().remotes.map(({ name }) => name));
  const shellsOwn = ['/login', '/register', '/dash'];
  return createBrowserRouter(createRoutes(registry, screens, readConfig().development), {
    async patchRoutesOnNavigation({ path, patch }) {
      if (shellsOwn.includes(path) || findPage(registry, path)) return;
      try {
        const { remotes } = await registry.refresh();
        for (const remote of remotes.filter(({ name }) => !known.has(name))) {
          known.add(remote.name);
          addRemote(remote, screens, patch);
        }
      } catch (error) {
        // Without news the address stays unknown, which is what the visitor is told.
        console.warn('The registry could not be read', error);
      }
    },
  });
}
