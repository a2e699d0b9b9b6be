import { contractVersion } from '@clinic/contracts/remotes';
import type { PageFact } from '@clinic/contracts';
import { QueryClient, type Query } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { useRoutes } from 'react-router-dom';
import type { PageModule, RemoteContext } from '../host/remote-module.ts';
import { beginVisit, neededAnswers, type Visit } from './browser.ts';
import { takeFacts } from './page-facts.html.ts';
import { renderHtml } from './render-html.tsx';

/** What a remote's server is asked to render. */
export interface PageVisit extends Visit {
  /** Route path of the page. */
  readonly page: string;
}

/** A page without scripts, or the addresses of the public calls whose answers it can't do without. */
export type RenderedPage =
  | { readonly html: string; readonly facts: readonly PageFact[] }
  | { readonly needs: readonly string[] };

/** A page whose calls lead to further calls is rendered again and again; none does so more often. */
const mostRounds = 4;

/**
 * Renders a remote's pages with its own components. It makes no requests: who asks passes the answers along.
 *
 * @param name - name of the remote
 * @param modules - what the remote exposes, by the page's route path
 */
export function pagesAsHtml(name: string, modules: Readonly<Record<string, PageModule>>) {
  const context: RemoteContext = {
    name,
    baseUrl: `/mf/${name}/`,
    // Parts of other remotes come with the scripts.
    openSlot: () => Promise.resolve(() => null),
  };
  let before: Promise<unknown> = Promise.resolve();

  /** @throws Error if a call failed, or the page can't be rendered without a browser */
  return function render(visit: PageVisit): Promise<RenderedPage> {
    const next = before.then(() => renderNow(context, modules, visit));
    before = next.catch(() => undefined);
    return next;
  };
}

async function renderNow(
  context: RemoteContext,
  modules: Readonly<Record<string, PageModule>>,
  { page, ...visit }: PageVisit,
): Promise<RenderedPage> {
  const module = modules[page];
  if (module?.contractVersion !== contractVersion) throw new Error(`${page} can’t be rendered`);
  beginVisit(visit);
  const Page = await module.createPage(context);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  for (let round = 0; round < mostRounds; round += 1) {
    takeFacts();
    const html = renderHtml(<Route path={page} Page={Page} />, { url: visit.url, client, prefix: 'p' });
    const waiting = client.getQueryCache().getAll().filter(isWaiting);
    if (waiting.length === 0) return { html: withoutPreloads(html), facts: takeFacts() };
    const results = await Promise.allSettled(waiting.map((query) => query.fetch()));
    const needs = neededAnswers();
    if (needs.length > 0) return { needs };
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
  throw new Error(`${page} makes calls without end`);
}

function Route({ path, Page }: { readonly path: string; readonly Page: ComponentType }) {
  return useRoutes([{ path, element: <Page /> }]);
}

function isWaiting({ state, options }: Query): boolean {
  return state.status === 'pending' && Reflect.get(options, 'enabled') !== false;
}

/** React puts preloads of important images before the page, where they would come no earlier than the images. */
function withoutPreloads(html: string): string {
  return html.replace(/^(?:<link [^>]*>)+/, '');
}
