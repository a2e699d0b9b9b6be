import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import React, { StrictMode, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createPath, Router, type Navigator, type To } from 'react-router-dom';
import { session } from '../host/app.ts';

// Our stores have no snapshot for servers: before anybody has done something, a server sees the same as a browser.
const { useSyncExternalStore } = React;
Object.assign(React, {
  useSyncExternalStore: <T,>(subscribe: (listener: () => void) => () => void, get: () => T, getOnServer = get): T =>
    useSyncExternalStore(subscribe, get, getOnServer),
});

const navigator: Navigator = {
  createHref: (to: To) => (typeof to === 'string' ? to : createPath(to)),
  go: () => undefined,
  push: () => undefined,
  replace: () => undefined,
};

interface HtmlOptions {
  /** Path and query of the page. */
  readonly url: string;
  readonly client: QueryClient;
  /** Begins the ids: parts of one page need different ones. */
  readonly prefix: string;
}

/** Renders a part of a page as somebody without a session sees it. @throws Error if that needs a browser */
export function renderHtml(part: ReactNode, { url, client, prefix }: HtmlOptions): string {
  session.adopt({ user: undefined, loading: false });
  return renderToStaticMarkup(
    <StrictMode>
      <QueryClientProvider client={client}>
        <Router location={url} navigator={navigator} static>
          {part}
        </Router>
      </QueryClientProvider>
    </StrictMode>,
    { identifierPrefix: prefix },
  );
}
