import type { RemoteContext, RouteObject } from '@clinic/app-kit';
import { createElement, Fragment, type ReactElement } from 'react';
import { RemoteError } from '../federation/remote-error.ts';
import type { RegistryStore } from '../federation/registry.ts';
import type { RemoteLoader } from '../federation/remote-loader.ts';

/** The remotes' screens by the route path of their page. */
export interface Screens {
  /** The screen, once {@link Screens.load} is done. */
  readonly get: (path: string) => ReactElement | undefined;
  /**
   * Loads a remote's screen. A failure is not kept, so that asking again tries again.
   *
   * @throws RemoteError when the remote or the screen's own files don't come, or the remote doesn't have the page
   */
  readonly load: (remoteName: string, path: string) => Promise<void>;
}

/** @param openSlot - what remotes are given to have pages of theirs filled by others */
export function createScreens(registry: RegistryStore, loadRemote: RemoteLoader, openSlot: RemoteContext['openSlot']): Screens {
  const screens = new Map<string, ReactElement>();

  return {
    get: (path) => screens.get(path),
    async load(remoteName, path) {
      if (screens.has(path)) return;
      const module = await loadRemote(remoteName);
      const remote = registry.find(remoteName) ?? { name: remoteName, title: remoteName, baseUrl: '/' };
      try {
        const route = module.createRoutes({ name: remote.name, baseUrl: remote.baseUrl, openSlot }).find((candidate) => candidate.path === path);
        const screen = route && (await screenOf(route));
        if (!screen) throw new Error(`${remoteName} has no screen for ${path}`);
        screens.set(path, screen);
      } catch (error) {
        throw new RemoteError(remote, 'away', error);
      }
    },
  };
}

async function screenOf(route: RouteObject): Promise<ReactElement | undefined> {
  const { Component, element } = typeof route.lazy === 'function' ? { element: undefined, ...(await route.lazy()) } : route;
  if (Component) return createElement(Component);
  return element === undefined || element === null ? undefined : createElement(Fragment, {}, element);
}
