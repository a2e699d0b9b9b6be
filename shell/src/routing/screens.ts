import type { PageModule, RemoteContext, RouteObject } from '@clinic/app-kit';
import { createElement, Fragment, type ReactElement } from 'react';
import { isMissingFile, loadTwice, MissingExport, RemoteError } from '../federation/remote-error.ts';
import type { RegistryStore } from '../federation/registry.ts';
import type { RemoteLoader } from '../federation/remote-loader.ts';
import { withinLimit } from '../federation/time-limit.ts';

/** The remotes' screens by their page's route path. */
export interface Screens {
  /** The screen, once {@link Screens.load} has finished. */
  readonly get: (path: string) => ReactElement | undefined;
  /**
   * Loads a remote's screen. A failure isn't cached, so calling it again retries.
   *
   * @throws RemoteError within eight seconds if the remote or the screen's own files don't load, or the remote doesn't have the page
   */
  readonly load: (remoteName: string, path: string) => Promise<void>;
  /**
   * Replaces a broken screen with that of a version deployed since; keeps the old one if there is none.
   *
   * @throws RemoteError (outdated) if only a reload could show the new one
   */
  readonly renew: (remoteName: string, path: string) => Promise<void>;
}

/** @param openSlot - passed to remotes, so that others can fill slots on their pages */
export function createScreens(
  registry: RegistryStore,
  loadRemote: RemoteLoader,
  openSlot: RemoteContext['openSlot'],
): Screens {
  const screens = new Map<string, ReactElement>();
  const remoteOf = (name: string) => registry.find(name) ?? { name, title: name, baseUrl: '/' };

  async function open(remoteName: string, path: string): Promise<void> {
    const expose = exposeOf(remoteName, path);
    const { name, baseUrl } = remoteOf(remoteName);
    const context = { name, baseUrl, openSlot };
    try {
      const screen = expose
        ? createElement(await (await loadRemote<PageModule>(remoteName, expose)).createPage(context))
        : await screenOfRoutes((await loadRemote(remoteName)).createRoutes(context), path);
      // A page that only a later version of the remote has.
      if (!screen && (await isRenewed(remoteName))) throw new RemoteError(remoteOf(remoteName), 'outdated');
      if (!screen) throw new Error(`${remoteName} has no screen for ${path}`);
      screens.set(path, screen);
    } catch (error) {
      if (error instanceof MissingExport) throw new RemoteError(remoteOf(remoteName), 'incompatible', error);
      if (isMissingFile(error) && (await isRenewed(remoteName)))
        throw new RemoteError(remoteOf(remoteName), 'outdated', error);
      throw error;
    }
  }

  /** The exposed module of a page; `undefined` for remotes that only expose routes. */
  function exposeOf(remoteName: string, path: string): string | undefined {
    return registry.find(remoteName)?.pages.find((page) => page.path === path)?.expose;
  }

  /** Whether another version of a remote is deployed than the one that is loaded. */
  async function isRenewed(remoteName: string): Promise<boolean> {
    try {
      await registry.refresh();
    } catch (error) {
      // It is unknown whether a reload would help.
      console.warn('The registry could not be read', error);
      return false;
    }
    const now = registry.find(remoteName);
    return now !== undefined && now.version !== loadRemote.versionOf(remoteName);
  }

  async function openInTime(remoteName: string, path: string): Promise<void> {
    try {
      await withinLimit(`${remoteName}’s page`, open(remoteName, path));
    } catch (error) {
      if (error instanceof RemoteError) throw error;
      // The next attempt must not wait for what failed or hangs.
      loadRemote.forget(remoteName, exposeOf(remoteName, path), registry.find(remoteName)?.pagePreload?.[path]);
      throw new RemoteError(remoteOf(remoteName), 'away', error);
    }
  }

  return {
    get: (path) => screens.get(path),
    load: async (remoteName, path) => (screens.has(path) ? undefined : openInTime(remoteName, path)),
    async renew(remoteName, path) {
      if (!(await isRenewed(remoteName))) return;
      loadRemote.forget(remoteName, exposeOf(remoteName, path));
      await openInTime(remoteName, path);
    },
  };
}

async function screenOfRoutes(routes: readonly RouteObject[], path: string): Promise<ReactElement | undefined> {
  const route = routes.find((candidate) => candidate.path === path);
  if (!route) return undefined;
  const { Component, element } =
    typeof route.lazy === 'function' ? { element: undefined, ...(await loadTwice(route.lazy)) } : route;
  if (Component) return createElement(Component);
  return element === undefined || element === null ? undefined : createElement(Fragment, {}, element);
}
