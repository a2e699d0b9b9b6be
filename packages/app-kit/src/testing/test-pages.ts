import { createElement } from 'react';
import type { RouteObject } from 'react-router-dom';
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
