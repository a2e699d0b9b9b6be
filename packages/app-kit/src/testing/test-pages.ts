import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, waitFor } from '@testing-library/react';
import { createElement } from 'react';
import { createMemoryRouter, RouterProvider, type Location, type RouteObject } from 'react-router-dom';
import { queryClient } from '../host/app.ts';
import type { PageModule } from '../host/remote-module.ts';

/**
 * A remote's pages as routes, for its tests.
 *
 * @param screens - files of the pages by path, from `remote.config.ts`
 * @param load - imports one of these files
 */
export function routesOfPages(
  screens: Readonly<Record<string, string>>,
  load: (file: string) => Promise<{ readonly default: PageModule }>,
): RouteObject[] {
  return Object.entries(screens).map(([path, file]) => ({
    path,
    hydrateFallbackElement: createElement('p', null, '…'),
    lazy: async () => {
      const { default: page } = await load(file);
      return { Component: await page.createPage({ name: 'mf-test', baseUrl: '/', openSlot: async () => () => null }) };
    },
  }));
}

/**
 * Renders the page of an address once its code is loaded: the router would otherwise show it while the test does
 * something else, which React reports as an update outside act().
 *
 * @param routes - the pages that the test can reach
 * @param address - with its query; also a location with state
 * @returns the address of the page that is shown now
 */
export async function renderRoutes(routes: RouteObject[], address: string | Partial<Location>): Promise<() => string> {
  const router = createMemoryRouter(routes, { initialEntries: [address] });
  render(createElement(QueryClientProvider, { client: queryClient }, createElement(RouterProvider, { router })));
  await waitFor(
    () => {
      if (!router.state.initialized) throw new Error('The page is still loading');
    },
    // The first page of a file is compiled.
    { timeout: 10_000 },
  );
  return () => router.state.location.pathname + router.state.location.search;
}

/** What pages ask of a browser that the simulated one doesn't have: nothing scrolls into view, and no width fits. */
export const simulatedBrowser = {
  IntersectionObserver: class {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  },
  matchMedia: (media: string) => ({
    matches: false,
    media,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }),
};

/**
 * Waits until nothing loads any more on a page that was rendered within act(). React then renders at once what it would defer
 * to pauses, which a busy machine doesn't have.
 */
export async function settled(): Promise<void> {
  let before: string | undefined;
  for (let same = 0; same < 3;) {
    await act(() => new Promise<void>((resolve) => setTimeout(resolve)));
    const now = document.body.textContent;
    const isLoading = queryClient.isFetching() + queryClient.isMutating() > 0;
    same = now === before && !isLoading ? same + 1 : 0;
    before = now;
  }
}
